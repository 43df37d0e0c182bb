import type { Asking, RunScope, SourceRequest, SourceState } from '../../source'
import type { SyobocalAnswer, SyobocalProgram } from './answers'
import { aDay, midnight, type Span, spanOf, stampOf } from './times'

/** Requests broadcasts, then those of their titles that are new or have changed, then new channels. */
export function* requestsFor(scope: RunScope, before: SourceState): Asking<SyobocalAnswer, SourceState> {
  const state = stateOf(before)
  const programs = new Map<number, SyobocalProgram>()
  for (const [filter, span] of spansOf(scope))
    for (const program of yield* askPrograms(filter, span)) programs.set(program.pid, program)
  const listed = yield* askTitleIds(scope)
  const ids = new Set([...programs.values()].map(({ tid }) => tid).concat(listed))
  // The newest titles have the highest numbers.
  const wanted = [...ids].toSorted((one, other) => other - one).slice(0, scope.limit)
  const titles = yield* askTitles(wanted, scope, state.titles)
  const month = scope.today.slice(0, 7)
  const isNew = [...programs.values()].some(({ chid }) => !state.channels.includes(chid))
  const isDue = isNew || scope.isFull || month !== state.month
  const channels = isDue ? yield* askChannels() : state.channels
  return { titles, month: isDue ? month : state.month, channels }
}

interface State {
  /** By title id: the day when it was last requested. */
  readonly titles: Readonly<Record<string, string>>
  /** When channels were last listed, `YYYY-MM`. */
  readonly month: string
  readonly channels: readonly number[]
}

function stateOf({ titles, month, channels }: SourceState): State {
  const days = Object.entries(titles ?? {}).filter(([, day]) => typeof day === 'string')
  return {
    titles: Object.fromEntries(days),
    month: typeof month === 'string' ? month : '',
    channels: Array.isArray(channels) ? channels.filter((id) => typeof id === 'number') : [],
  }
}

type Filter = 'Range' | 'LastUpdate'

/** Five days back and ten ahead, unless the scope names a day since when or certain seasons. */
function spansOf({ today, since, seasons, hasOwnSeasons = false }: RunScope): [Filter, Span][] {
  if (since !== undefined) return [['LastUpdate', { from: midnight(since), to: midnight(today, 1) }]]
  if (hasOwnSeasons) return seasons.flatMap((season) => spanOf(season) ?? []).map((span) => ['Range', span])
  return [['Range', { from: midnight(today, -5), to: midnight(today, 10) }]]
}

/** In ranges of 15 days, which are halved as long as an answer has the maximum length. */
function* askPrograms(
  filter: Filter,
  { from, to }: Span,
): Asking<SyobocalAnswer, readonly SyobocalProgram[]> {
  const programs: SyobocalProgram[] = []
  const open = piecesOf({ from, to }, 15 * aDay)
  for (let span = open.shift(); span !== undefined; span = open.shift()) {
    const answer: SyobocalAnswer = yield programsRequest(filter, span)
    if (answer.as !== 'ProgLookup') continue
    programs.push(...answer.programs)
    const length = span.to - span.from
    if (answer.programs.length >= mostPrograms && length > shortest)
      open.unshift(...piecesOf(span, length / 2))
  }
  return programs
}

function piecesOf({ from, to }: Span, length: number): Span[] {
  const pieces: Span[] = []
  for (let at = from; at < to; at += length) pieces.push({ from: at, to: Math.min(at + length, to) })
  return pieces
}

const programsRequest = (filter: Filter, { from, to }: Span): SourceRequest =>
  request('ProgLookup', `Command=ProgLookup&${filter}=${stampOf(from)}-${stampOf(to)}&JOIN=SubTitles`)

/** All titles, or those changed since a day, whether broadcast or not. */
function* askTitleIds({ isFull, since }: RunScope): Asking<SyobocalAnswer, readonly number[]> {
  if (!isFull && since === undefined) return []
  const changed = isFull || since === undefined ? '' : `&LastUpdate=${stampOf(midnight(since))}-`
  const answer = yield request('TitleIds', `Command=TitleLookup&TID=*${changed}&Fields=TID`)
  return answer.as === 'TitleIds' ? answer.ids : []
}

/** Requests only changes of known titles. Returns when each was last requested. */
function* askTitles(
  wanted: readonly number[],
  { isFull, today }: RunScope,
  before: State['titles'],
): Asking<SyobocalAnswer, State['titles']> {
  const [known, fresh] = [wanted.filter((tid) => tid in before), wanted.filter((tid) => !(tid in before))]
  for (const ids of blocksOf(isFull ? wanted : fresh)) yield titlesRequest(ids, '')
  for (const ids of blocksOf(isFull ? [] : known)) {
    const days = ids.map((tid) => before[tid] ?? today)
    // One day earlier: a title may have changed on that day after the answer was sent.
    const since = midnight(days.toSorted()[0] ?? today, -1)
    yield titlesRequest(ids, `&LastUpdate=${stampOf(since)}-`)
  }
  return { ...before, ...Object.fromEntries(wanted.map((tid) => [tid, today])) }
}

const blocksOf = (ids: readonly number[]) =>
  Array.from({ length: Math.ceil(ids.length / mostTitles) }, (_, n) =>
    ids.slice(n * mostTitles, (n + 1) * mostTitles),
  )

const titlesRequest = (ids: readonly number[], changed: string) =>
  request('TitleLookup', `Command=TitleLookup&TID=${ids.join()}${changed}`)

function* askChannels(): Asking<SyobocalAnswer, readonly number[]> {
  const answer = yield request('ChLookup', 'Command=ChLookup')
  yield request('ChGroupLookup', 'Command=ChGroupLookup')
  return answer.as === 'ChLookup' ? answer.channels.map(({ chid }) => chid) : []
}

const request = (as: SyobocalAnswer['as'], query: string): SourceRequest => ({
  url: `https://cal.syoboi.jp/db.php?${query}`,
  as,
  accept: ['application/xml', 'text/xml'],
})

/** Per answer. */
const mostPrograms = 5000
const mostTitles = 300
const shortest = 3_600_000
