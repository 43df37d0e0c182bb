import { isConditional } from '../fetch/headers'
import type { Known } from '../known'
import { splitLocation } from '../location'
import { type AnySource, type RunScope, ShapeError, type SourceRequest, type SourceState } from '../source'
import type { AnswerFiles, AnswerNumber } from './answer-files'
import { answersOf, forgetAnswers, formerAnswer, type KeptAnswer, noteAnswer } from './journal'
import type { RunTools } from './tools'

/** A run that collects the answers of its source. */
export interface AskingRun {
  readonly run: number
  readonly source: AnySource
  /** The answers that are kept. */
  readonly files: AnswerFiles
  readonly scope: RunScope
  readonly state: SourceState
  readonly known: Known
  readonly location: string | undefined
  readonly token: string | undefined
  readonly isReplay: boolean
}

export interface CollectedAnswers {
  readonly answers: readonly unknown[]
  readonly state: SourceState
  /** Whether all answers are those of former runs. */
  readonly isUnmodified: boolean
}

/** Sends the requests of a source, except those whose answers the run already has. */
export async function askSource(tools: RunTools, asking: AskingRun): Promise<CollectedAnswers> {
  const { source, files, scope, state, known, location } = asking
  const requests = source.requests(scope, state, known, { location })
  const answerTo = await answerer(tools, asking)
  const answers: unknown[] = []
  let isUnmodified = true
  let step = requests.next()
  while (step.done !== true) {
    const answer = await answerTo(step.value)
    isUnmodified &&= answer.isUnmodified
    answers.push(await source.read(step.value.as, files.body(answer.place), { location }))
    step = requests.next(answers.at(-1))
  }
  return { answers, state: step.value, isUnmodified: isUnmodified && answers.length > 0 }
}

/** Answers the requests of a run in their order. From the first that differs from what the run has, it asks the source. */
async function answerer(tools: RunTools, asking: AskingRun) {
  const { run, source, files } = asking
  const had = await answersOf(tools.store, run)
  let number = 0
  return async (request: SourceRequest): Promise<KeptAnswer> => {
    number++
    if (number > mostRequests) throw new ShapeError('the answers', 'have no end')
    tools.signal.throwIfAborted()
    const before = had[number - 1]
    const isHad = before !== undefined && isSame(before, request, asking) && files.has(before.place)
    if (!isHad) had.length = 0
    const answer = isHad ? before : await fetchAnswer(tools, asking, { run, number }, request)
    tools.onProgress?.(`${source.name}: request ${number}`)
    return answer
  }
}

async function fetchAnswer(
  tools: RunTools,
  { source, files, scope, location, token, isReplay }: AskingRun,
  place: AnswerNumber,
  request: SourceRequest,
): Promise<KeptAnswer> {
  if (isReplay) throw new ShapeError(`answer ${place.number}`, 'is not kept any more')
  const { store, signal } = tools
  await forgetAnswers(store, place)
  const url = addressOf(request, location)
  const known =
    isConditional(request) && !scope.isFull
      ? await formerAnswer(store, source, { url, request, scope })
      : undefined
  const former = known !== undefined && files.has(known.place) ? known : undefined
  let kept = 0
  const fetched = await tools.fetch(source, request, {
    location: location ?? null,
    token: token ?? null,
    validators: former === undefined ? null : validatorsOf(former),
    signal,
    keep: async (content) => {
      kept = await files.keep(place, content)
    },
  })
  const about = { place, url, kind: request.as, posted: postedBy(request) }
  if (fetched.kind === 'unmodified') {
    if (former === undefined) throw new ShapeError('the answer', 'says that nothing has changed, unasked')
    const answer = { ...about, ...validatorsOf(former), isUnmodified: true }
    await noteAnswer(store, answer, { received: 0, kept: files.copy(former.place, place) })
    return answer
  }
  const answer = { ...about, ...validatorsOf(fetched), isUnmodified: false }
  await noteAnswer(store, answer, { received: fetched.bytes, kept })
  return answer
}

const isSame = (kept: KeptAnswer, request: SourceRequest, { location }: AskingRun): boolean =>
  kept.url === addressOf(request, location) && kept.kind === request.as && kept.posted === postedBy(request)

/** The address under which an answer is stored, with the location: another location is another address. */
function addressOf({ url }: SourceRequest, location = ''): string {
  return /^https?:/.test(url) ? url : `${splitLocation(location).place} ${url}`.trim()
}

const postedBy = ({ json }: SourceRequest) => (json === undefined ? null : JSON.stringify(json))

const validatorsOf = ({ etag, lastModified }: Pick<KeptAnswer, 'etag' | 'lastModified'>) => ({
  etag,
  lastModified,
})

const mostRequests = 10_000
