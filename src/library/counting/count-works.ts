import type { RatingState } from '../ratings'
import type { StatusKind } from '../statuses'
import {
  type Counting,
  createDating,
  type Dated,
  type DatedPlay,
  dateText,
  isOfMedia,
  type PlayCounts,
} from './count-plays'
import { holdsDate } from './period'
import type { CountedPlay, CountedStatus, Watched, WorkFacts } from './plays'

export const begunKinds = ['watched', 'watching', 'on_hold', 'stop_watching'] as const
export type BegunKind = (typeof begunKinds)[number]

/** Of a work: a word, a number from 1 to 100, or both (D87). */
export interface WorkRating {
  readonly rating: RatingState | null
  readonly score: number | null
}

export interface MediaCount {
  readonly media: string
  readonly works: number
  readonly episodes: number
}

export interface WorkCounts {
  /** Watched, and finished in the period. */
  readonly finished: readonly number[]
  /** Played or finished in the period, each once; of all time, rated ones and those with a status but wanna_watch too. */
  readonly seen: readonly WorkFacts[]
  readonly media: readonly MediaCount[]
  /** The first year of each decade that has some, with the number of works. Earliest first; so are seasons. */
  readonly decades: readonly (readonly [year: number, works: number])[]
  /** By `season_name`, without works of which only the year is known. */
  readonly seasons: readonly (readonly [season: string, works: number])[]
  /** The newest rating of each work that was seen. */
  readonly ratings: ReadonlyMap<number, WorkRating>
  /** Works begun in the period, by their present status. */
  readonly completion: Readonly<Record<BegunKind, readonly number[]>>
  /** How many episodes of a work that was dropped: half of them had fewer. Undefined without any. */
  readonly droppedAfter: number | undefined
  /** Most often first. */
  readonly rewatched: readonly { readonly work_id: number; readonly times: number }[]
}

export function countWorks(watched: Watched, counts: PlayCounts, counting: Counting): WorkCounts {
  const statuses = watched.statuses.filter(({ work_id }) => isCounted(watched, work_id, counting))
  const { finished, begun } = withinOf(statuses, counts, counting)
  const ratings = ratingsOf(watched)
  const seen = seenOf(watched, counting, {
    plays: counts.plays,
    others: [...finished, ...(counting.period === undefined ? begun : [])].map(({ work_id }) => work_id),
    rated: counting.period === undefined ? [...ratings.keys()] : [],
  })
  const completion = completionOf(begun)
  return {
    finished: finished.map(({ work_id }) => work_id),
    seen,
    media: mediaCounts(seen, counts.plays, watched),
    decades: tally(seen.flatMap(({ season_year: year }) => (year === null ? [] : [year - (year % 10)]))),
    seasons: seasonsOf(seen),
    ratings: new Map(
      seen.flatMap(({ id }): [number, WorkRating][] => {
        const rating = ratings.get(id)
        return rating === undefined ? [] : [[id, rating]]
      }),
    ),
    completion,
    droppedAfter: medianOf(episodesOfLap(watched, completion.stop_watching)),
    rewatched: rewatchedOf(watched, counts),
  }
}

function isCounted({ works }: Watched, workId: number, counting: Counting): boolean {
  const work = works.get(workId)
  return work !== undefined && isOfMedia(work, counting)
}

/** Those finished and those begun in the period. */
function withinOf(statuses: readonly CountedStatus[], { ends }: PlayCounts, counting: Counting) {
  const { period } = counting
  const watched = statuses.filter(({ kind }) => kind === 'watched')
  const begun = statuses.filter(({ kind }) => isBegun(kind))
  if (period === undefined) return { finished: watched, begun }
  const dateOf = createDating(counting)
  const within = (date: string | null | undefined) => typeof date === 'string' && holdsDate(period, date)
  return {
    finished: watched.filter((status) => within(datesOf(status, ends, dateOf).finished)),
    begun: begun.filter((status) => within(datesOf(status, ends, dateOf).started)),
  }
}

const isBegun = (kind: StatusKind): kind is BegunKind => kind !== 'wanna_watch'

/** As said, else as told by the first and last record, as long as the two do not contradict each other (D71). */
function datesOf(status: CountedStatus, ends: PlayCounts['ends'], dateOf: (play: CountedPlay) => Dated) {
  const end = ends.get(status.work_id)
  const { started_on, finished_on, kind } = status
  const told = (play: CountedPlay | undefined, given: string | null, isInOrder: (day: string) => boolean) => {
    const day = play && dateText(dateOf(play))
    return day === undefined || given === null || (day !== given && isInOrder(day.slice(0, given.length)))
      ? day
      : undefined
  }
  const finished = told(end?.last, started_on, (day) => started_on !== null && day >= started_on)
  return {
    started: started_on ?? told(end?.first, finished_on, (day) => finished_on !== null && day <= finished_on),
    finished: finished_on ?? (kind === 'watched' ? finished : undefined),
  }
}

/** By the newest review with a word or a number, as a work is rated. */
function ratingsOf({ reviews }: Watched): ReadonlyMap<number, WorkRating> {
  return new Map(
    reviews.flatMap(({ work_id, rating, score }): [number, WorkRating][] =>
      rating === null && score === null ? [] : [[work_id, { rating, score }]],
    ),
  )
}

/** The numbers among the ratings. */
export const scoresOf = ({ ratings }: Pick<WorkCounts, 'ratings'>): number[] =>
  [...ratings.values()].flatMap(({ score }) => score ?? [])

/** How many are from 1 to 10, from 11 to 20, and so on. */
export const tenths = (scores: readonly number[]): number[] =>
  Array.from({ length: 10 }, (_, at) => scores.filter((score) => Math.ceil(score / 10) === at + 1).length)

/** To one decimal; undefined of none. */
export const meanOf = (scores: readonly number[]): number | undefined =>
  scores.length === 0
    ? undefined
    : Math.round((scores.reduce((sum, score) => sum + score, 0) / scores.length) * 10) / 10

interface SeenSources {
  readonly plays: readonly DatedPlay[]
  readonly others: readonly number[]
  readonly rated: readonly number[]
}

function seenOf(watched: Watched, counting: Counting, { plays, others, rated }: SeenSources): WorkFacts[] {
  const ids = new Set(plays.map(({ work_id }) => work_id))
  for (const id of [...others, ...rated]) if (isCounted(watched, id, counting)) ids.add(id)
  return [...ids].flatMap((id) => watched.works.get(id) ?? [])
}

function mediaCounts(
  seen: readonly WorkFacts[],
  plays: readonly DatedPlay[],
  { works }: Watched,
): MediaCount[] {
  const episodes = new Map<string, number>()
  for (const [work, number] of countByWork(plays)) {
    const media = works.get(work)?.media ?? ''
    episodes.set(media, (episodes.get(media) ?? 0) + number)
  }
  const counted = tally(seen.map(({ media }) => media))
  return counted
    .map(([media, number]) => ({ media, works: number, episodes: episodes.get(media) ?? 0 }))
    .sort((one, other) => other.works - one.works || (one.media < other.media ? -1 : 1))
}

/** Episodes of each work. */
function countByWork(plays: readonly DatedPlay[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { work_id, lap } of plays) if (lap > 0) counts.set(work_id, (counts.get(work_id) ?? 0) + 1)
  return counts
}

const seasons = ['winter', 'spring', 'summer', 'autumn']

function seasonsOf(seen: readonly WorkFacts[]): [string, number][] {
  const ranks = seen.flatMap(({ season_year, season }) =>
    season_year === null || season === null ? [] : [season_year * 10 + seasons.indexOf(season)],
  )
  return tally(ranks).map(([rank, works]) => [`${Math.floor(rank / 10)}-${seasons[rank % 10]}`, works])
}

/** How often each occurs, least first. */
function tally<Key extends string | number>(keys: readonly Key[]): [Key, number][] {
  const counts = new Map<Key, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
}

function completionOf(begun: readonly CountedStatus[]): Record<BegunKind, number[]> {
  const of = (kind: BegunKind) => begun.filter((status) => status.kind === kind).map(({ work_id }) => work_id)
  return {
    watched: of('watched'),
    watching: of('watching'),
    on_hold: of('on_hold'),
    stop_watching: of('stop_watching'),
  }
}

/** The number of records in the lap that has most, for each of these works that has any. */
function episodesOfLap({ plays }: Watched, works: readonly number[]): number[] {
  const wanted = new Set(works)
  const own = plays.filter(({ work_id, lap }) => lap > 0 && wanted.has(work_id))
  const byWork = Map.groupBy(own, ({ work_id }) => work_id)
  return [...byWork.values()].map((some) =>
    Math.max(...tally(some.map(({ lap }) => lap)).map(([, number]) => number)),
  )
}

function medianOf(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) / 2)]
}

/** Laps after the first, and viewings of a film after its first, that are in the period at least in part. */
function rewatchedOf({ plays, works }: Watched, counts: PlayCounts): { work_id: number; times: number }[] {
  const laps = new Map<number, Set<number>>()
  const viewings = new Map<number, number>()
  for (const { work_id, lap } of counts.plays) {
    if (lap > 1) laps.set(work_id, (laps.get(work_id) ?? new Set()).add(lap))
    else if (lap === 0) viewings.set(work_id, (viewings.get(work_id) ?? 0) + 1)
  }
  const firsts = firstViewings(plays)
  const inPeriod = new Set(counts.plays.filter(({ lap }) => lap === 0).map(viewingKey))
  return [...works.keys()]
    .map((work_id) => {
      const first = firsts.get(work_id)
      const isFirstHere = first !== undefined && inPeriod.has(first)
      const again = (viewings.get(work_id) ?? 0) - (isFirstHere ? 1 : 0)
      return { work_id, times: (laps.get(work_id)?.size ?? 0) + again }
    })
    .filter(({ times }) => times > 0)
    .sort((one, other) => other.times - one.times || one.work_id - other.work_id)
}

/** By work. One at an unknown time comes before those of which more is known. */
function firstViewings(plays: Watched['plays']): ReadonlyMap<number, string> {
  const firsts = new Map<number, Watched['plays'][number]>()
  const rank = ({ at, precision }: { at: number; precision: string }) =>
    precision === 'none' ? Number.NEGATIVE_INFINITY : at
  for (const play of plays) {
    if (play.lap > 0) continue
    const known = firsts.get(play.work_id)
    if (known === undefined || rank(play) < rank(known)) firsts.set(play.work_id, play)
  }
  return new Map([...firsts].map(([work, play]) => [work, viewingKey(play)]))
}

const viewingKey = ({ work_id, at, precision }: Watched['plays'][number]) => `${work_id} ${at} ${precision}`
