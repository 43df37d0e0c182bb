import { isConditional } from '../fetch/headers'
import type { Known } from '../known'
import { splitLocation } from '../location'
import { type AnySource, type RunScope, ShapeError, type SourceRequest, type SourceState } from '../source'
import type { AnswerFiles, AnswerNumber } from './answer-files'
import { answersOf, forgetAnswers, formerAnswer, type KeptAnswer, noteAnswer } from './journal'
import type { RunTools } from './tools'

export interface AskingRun {
  readonly run: number
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
export async function askSource(
  tools: RunTools,
  files: AnswerFiles,
  source: AnySource,
  asking: AskingRun,
): Promise<CollectedAnswers> {
  const { run, scope, state, known, location } = asking
  const settings = { location }
  const had = await answersOf(tools.store, run)
  const answers: unknown[] = []
  let isUnmodified = true
  const requests = source.requests(scope, state, known, settings)
  let step = requests.next()
  for (let number = 1; step.done !== true; number++) {
    if (number > mostRequests) throw new ShapeError('the answers', 'have no end')
    tools.signal.throwIfAborted()
    const before = had[number - 1]
    const isHad = before !== undefined && isSame(before, step.value, asking) && files.has(before.place)
    if (!isHad) had.length = 0
    const place = { run, number }
    const answer = isHad ? before : await fetchAnswer(tools, files, source, { ...asking, place }, step.value)
    isUnmodified &&= answer.isUnmodified
    tools.onProgress?.(`${source.name}: request ${number}`)
    const parsed = await source.read(step.value.as, files.body(place), settings)
    answers.push(parsed)
    step = requests.next(parsed)
  }
  return { answers, state: step.value, isUnmodified: isUnmodified && answers.length > 0 }
}

type Fetching = AskingRun & { readonly place: AnswerNumber }

async function fetchAnswer(
  tools: RunTools,
  files: AnswerFiles,
  source: AnySource,
  { place, scope, location, token, isReplay }: Fetching,
  request: SourceRequest,
): Promise<KeptAnswer> {
  if (isReplay) throw new ShapeError(`answer ${place.number}`, 'is not kept any more')
  const { store, fetch, signal } = tools
  await forgetAnswers(store, place)
  const url = addressOf(request, location)
  const known =
    isConditional(request) && !scope.isFull
      ? await formerAnswer(store, source, { url, request, scope })
      : undefined
  const former = known !== undefined && files.has(known.place) ? known : undefined
  let kept = 0
  const fetched = await fetch(source, request, {
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
