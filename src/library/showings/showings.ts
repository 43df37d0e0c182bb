import type { Read } from '../../db/open'
import { type OwnSlot, ownSlots } from './own-slot'
import { type Planned, type PlanSpan, plannedByRule, plannedBySlot } from './planned'
import {
  type EpisodeAtPosition,
  type EpisodeFacts,
  episodesAt,
  type ProgramEpisode,
  type ProgramRow,
  programEpisodes,
  programsOf,
  type TimedWork,
  timedWorks,
} from './queries'

/** Where a time comes from, best first (D80); a habit has a day only (`habit.ts`). */
export type ShowingKind = 'listed' | 'own' | 'rule'

/** One showing of an episode (D81). Times are epoch milliseconds. */
export interface Showing {
  readonly workId: number
  readonly kind: ShowingKind
  readonly at: number
  /** Undefined where neither the source nor the list names it. */
  readonly episode: ShownEpisode | undefined
  readonly channel: { readonly id: number; readonly name: string } | undefined
  readonly isRebroadcast: boolean
  readonly isFirst: boolean
  /** Only of a list that is complete. */
  readonly isLast: boolean
  readonly isRecorded: boolean
}

export interface ShownEpisode {
  readonly id: number
  readonly number: string | null
  readonly number_text: string
  readonly title: string
  readonly is_only: number
}

export interface KnownShowings {
  /** Earliest first, those of one time in the order of their works. */
  readonly shown: readonly Showing[]
  /** Works of which the span has programmes on other channels only. */
  readonly elsewhere: readonly number[]
  readonly works: ReadonlyMap<number, TimedWork>
  readonly slots: ReadonlyMap<number, OwnSlot>
}

interface ShowingsQuery extends PlanSpan {
  readonly user: number
  readonly works: readonly number[]
  /** On all channels, and rebroadcasts too. */
  readonly isOnAll?: boolean
}

/** The showings of works that begin in a span (D80, D81): listed, else by one's own slot, else by the rule. */
export async function showingsOf(read: Read, query: ShowingsQuery): Promise<KnownShowings> {
  const { user, from, until } = query
  const ids = JSON.stringify(query.works)
  const works = new Map((await timedWorks(read, { user, works: ids })).map((work) => [work.id, work]))
  const own = (await ownSlots(read, { user })).filter(({ work_id }) => works.has(work_id))
  const slots = new Map(own.map((slot) => [slot.work_id, slot]))
  const planned = [
    ...own.flatMap((slot) => {
      const work = works.get(slot.work_id)
      return work === undefined ? [] : plannedBySlot(slot, work, query)
    }),
    ...[...works.values()].flatMap((work) => plannedByRule(work, query)),
  ]
  const placed = await placedEpisodes(read, user, planned)
  const expected = planned.flatMap((one) => expectedShowing(one, placed))
  const programs = await programsOf(read, {
    ...{ user, works: ids, from: from - nearby, until: until + nearby },
    episodes: JSON.stringify(expected.flatMap(({ episode }) => episode?.id ?? [])),
  })
  const episodes = await episodesOf(read, user, programs)
  const rows = programs.filter(({ episode_id }) => episode_id === null || episodes.has(episode_id))
  return { ...chosenShowings(rows, expected, { works, episodes }, query), works, slots }
}

const day = 86_400_000
/** A listed time replaces an estimate that is at most this far away. */
const nearby = 4 * day

type Episodes = ReadonlyMap<number, ProgramEpisode>

/** The shown ones, each once: an episode has programmes on several channels. */
async function episodesOf(read: Read, user: number, programs: readonly ProgramRow[]): Promise<Episodes> {
  const ids = new Set(programs.flatMap(({ episode_id }) => episode_id ?? []))
  const rows = await programEpisodes(read, { user, episodes: JSON.stringify([...ids]) })
  return new Map(rows.map((row) => [row.episode_id, row]))
}

type Placed = ReadonlyMap<string, EpisodeAtPosition>

const placeOf = (work: number, position: number) => `${work} ${position}`

async function placedEpisodes(read: Read, user: number, planned: readonly Planned[]): Promise<Placed> {
  const ranges = [...Map.groupBy(planned, ({ work }) => work.id)].map(([work, of]) => {
    const positions = of.map(({ position }) => position)
    return [work, Math.min(...positions), Math.max(...positions)]
  })
  if (ranges.length === 0) return new Map()
  const rows = await episodesAt(read, { user, ranges: JSON.stringify(ranges) })
  return new Map(rows.map((row) => [placeOf(row.work_id, row.position), row]))
}

function expectedShowing({ work, slot, at, position }: Planned, placed: Placed): readonly Showing[] {
  const row = placed.get(placeOf(work.id, position))
  const { channel_id, channel } = slot ?? { channel_id: null, channel: null }
  return [
    {
      ...{ workId: work.id, kind: slot === undefined ? 'rule' : 'own', at, isRebroadcast: false },
      episode: row === undefined ? undefined : episodeOf(row),
      channel: channel_id === null || channel === null ? undefined : { id: channel_id, name: channel },
      isFirst: position === 0,
      isLast: position === work.known - 1 && isComplete(work, at),
      isRecorded: row?.recorded === 1,
    },
  ]
}

export const episodeOf = (row: EpisodeFacts): ShownEpisode | undefined =>
  row.episode_id === null
    ? undefined
    : {
        ...{ id: row.episode_id, number: row.number, number_text: row.number_text ?? '' },
        ...{ title: row.episode_title ?? '', is_only: row.is_only ?? 0 },
      }

/** A source that lists episodes as they come has a last one every week. */
const isComplete = (work: TimedWork, at: number): boolean =>
  work.episodes_estimate !== null
    ? work.known >= work.episodes_estimate
    : work.broadcast_end !== null && at >= work.broadcast_end - day

interface ShowingFacts {
  readonly works: ReadonlyMap<number, TimedWork>
  readonly episodes: Episodes
}

function fromProgram(row: ProgramRow, { works, episodes }: ShowingFacts): Showing {
  const work = works.get(row.work_id)
  const listed = episodes.get(row.episode_id ?? 0)
  return {
    ...{ workId: row.work_id, kind: row.estimated === 1 ? 'rule' : 'listed', at: row.started_at },
    episode: listed === undefined ? undefined : episodeOf(listed),
    channel: { id: row.channel_id, name: row.channel },
    isRebroadcast: row.is_rebroadcast === 1,
    isFirst: listed?.is_first === 1,
    isLast: listed?.is_last === 1 && work !== undefined && isComplete(work, row.started_at),
    isRecorded: listed?.recorded === 1,
  }
}

function chosenShowings(
  rows: readonly ProgramRow[],
  expected: readonly Showing[],
  facts: ShowingFacts,
  { from, until, isOnAll = false }: ShowingsQuery,
): Pick<KnownShowings, 'shown' | 'elsewhere'> {
  const current = withoutReplaced(rows)
  const heard = current.filter((row) => isOnAll || row.is_chosen === 1)
  const showings = heard.map((row) => fromProgram(row, facts))
  const firsts = showings.filter(({ isRebroadcast }) => !isRebroadcast)
  const best = bestOfEach([...firsts, ...withoutListed(expected, firsts, current)])
  const repeats = isOnAll ? showings.filter(({ isRebroadcast }) => isRebroadcast) : []
  const isInSpan = ({ at }: { readonly at: number }) => at >= from && at < until
  const known = new Set(best.map(keyOf))
  const others = current.filter(
    (row) =>
      row.is_chosen === 0 &&
      row.is_rebroadcast === 0 &&
      isInSpan({ at: row.started_at }) &&
      !known.has(keyOf(fromProgram(row, facts))),
  )
  return {
    shown: [...best, ...repeats].filter(isInSpan).sort((a, b) => a.at - b.at || a.workId - b.workId),
    elsewhere: isOnAll ? [] : [...new Set(others.map(({ work_id }) => work_id))],
  }
}

/** Without estimates of an episode that is listed, or of a work that is listed at about that time. */
function withoutReplaced(rows: readonly ProgramRow[]): readonly ProgramRow[] {
  const listed = Map.groupBy(
    rows.filter((row) => row.estimated === 0 && row.is_rebroadcast === 0),
    (row) => row.work_id,
  )
  return rows.filter(
    (row) =>
      row.estimated === 0 ||
      !listed
        .get(row.work_id)
        ?.some((one) => isSameEpisode(one, row) || Math.abs(one.started_at - row.started_at) <= nearby),
  )
}

const isSameEpisode = (one: ProgramRow, other: ProgramRow) =>
  one.episode_id !== null && one.episode_id === other.episode_id

/**
 * Of what the rule and one's own slots expect: what no list has at about that time. A list on a channel that was not chosen
 * leaves one's own time, and so does a list of other episodes.
 */
const withoutListed = (
  expected: readonly Showing[],
  firsts: readonly Showing[],
  rows: readonly ProgramRow[],
): readonly Showing[] => {
  const heard = Map.groupBy(firsts, ({ workId }) => workId)
  const all = Map.groupBy(rows, ({ work_id }) => work_id)
  return expected.filter(({ kind, workId, at, episode }) => {
    if (kind === 'rule')
      return !all
        .get(workId)
        ?.some(
          (row) =>
            (episode !== undefined && row.episode_id === episode.id) ||
            (row.estimated === 0 && row.is_rebroadcast === 0 && Math.abs(row.started_at - at) <= nearby),
        )
    return !heard
      .get(workId)
      ?.some(
        (one) =>
          one.kind === 'listed' &&
          (one.episode === undefined || episode === undefined) &&
          Math.abs(one.at - at) <= nearby,
      )
  })
}

const ranks: Readonly<Record<ShowingKind, number>> = { listed: 0, own: 1, rule: 2 }

/** One showing an episode: the best known, of these the first. */
function bestOfEach(showings: readonly Showing[]): readonly Showing[] {
  const best = new Map<string, Showing>()
  for (const one of showings) {
    const key = keyOf(one)
    const other = best.get(key)
    if (other === undefined || (ranks[one.kind] - ranks[other.kind] || one.at - other.at) < 0)
      best.set(key, one)
  }
  return [...best.values()]
}

/** What stays the same whatever channel or source a showing has; without an episode, its minute. */
export const keyOf = ({ workId, episode, at }: Pick<Showing, 'workId' | 'episode' | 'at'>): string =>
  episode === undefined ? `work-${workId}-${Math.floor(at / 60_000)}` : `episode-${episode.id}`
