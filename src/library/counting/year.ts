import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import { type RatingState, ratingStates } from '../ratings'
import type { DatedPlay } from './count-plays'
import type { WorkCounts } from './count-works'
import { type Maker, studiosOf } from './makers'
import type { Statistics } from './statistics'
import type { Streak } from './streaks'

/** A work with what its cover shows, as it was called then. */
export interface YearWork {
  readonly id: number
  readonly title: string
  readonly title_en: string
  readonly title_ro: string
  readonly media: string
  readonly season_year: number | null
  readonly season: string | null
}

export interface RatedYearWork extends YearWork {
  readonly rating: RatingState | null
  readonly score: number | null
}

export interface YearEnd {
  readonly work: YearWork
  /** Null for a film. */
  readonly episode: { readonly number: string | null; readonly number_text: string } | null
  readonly lap: number
  /** Days since 1970-01-01, by the owner's clock. */
  readonly day: number
  /** Minutes since midnight, beyond 24 hours with long nights; null if only the day is known. */
  readonly minute: number | null
}

/** What a year was, in figures and titles. Plain JSON: a share keeps it as it was (D91). Months are counted from year 0. */
export interface YearFigures {
  readonly from: number
  readonly until: number
  readonly isRunning: boolean
  readonly episodes: number
  readonly films: number
  readonly finished: number
  readonly hours: number
  readonly days: number
  /** Begun in it and dropped since. */
  readonly dropped: number
  readonly again: number
  readonly months: readonly (readonly [month: number, episodes: number, films: number])[]
  /** Works finished and films seen: by number, by word, then the latest first. At most ten. */
  readonly best: readonly RatedYearWork[]
  readonly first: YearEnd | null
  readonly last: YearEnd | null
  readonly streak: Streak | null
  readonly busiest: { readonly day: number; readonly plays: number } | null
  /** Of most works, if enough of them are known (§4). */
  readonly studio: Maker | null
}

const mostBest = 10

/** `statistics` of the period, `thisMonth` by the owner's clock. */
export async function yearFigures(
  read: Read,
  user: number,
  statistics: Statistics,
  thisMonth: number,
): Promise<YearFigures> {
  const { plays, works, days, choice } = statistics
  const { from, until } = choice.period ?? { from: 0, until: 0 }
  const last = Math.min(until, Math.max(thisMonth, ...plays.months.keys()))
  const ends = endsOf(plays.plays)
  const best = bestOf(statistics)
  const named = await titlesOf(read, {
    ids: JSON.stringify([...best, ...ends.map(({ work_id }) => work_id)]),
  })
  const titles = new Map(named.map((work) => [work.id, work]))
  const [first, end] = await Promise.all(ends.map((play) => endOf(read, { user, play, titles, statistics })))
  return {
    ...{ from, until, isRunning: until >= thisMonth },
    ...{ episodes: plays.episodes, films: plays.films, finished: works.finished.length },
    ...{ hours: Math.round(plays.minutes / 60), days: plays.days.size },
    ...{ dropped: works.completion.stop_watching.length, again: works.rewatched.length },
    months: Array.from({ length: last - from + 1 }, (_, at) => {
      const { episodes, films } = plays.months.get(from + at) ?? { episodes: 0, films: 0 }
      return [from + at, episodes, films]
    }),
    best: best
      .flatMap((id) => titles.get(id) ?? [])
      .slice(0, mostBest)
      .map((work) => ({ ...work, ...ratingOf(works, work.id) })),
    ...{ first: first ?? null, last: end ?? null },
    ...{ streak: days.longest ?? null, busiest: days.busiest ?? null, studio: await studioOf(read, works) },
  }
}

/** Of fewer works with a studio nobody can tell. */
const fewestKnown = 5

async function studioOf(read: Read, { seen }: WorkCounts): Promise<Maker | null> {
  const { makers, known } = await studiosOf(
    read,
    seen.map(({ id }) => id),
  )
  return known < fewestKnown ? null : (makers[0] ?? null)
}

const ratingOf = ({ ratings }: WorkCounts, id: number) => ratings.get(id) ?? { rating: null, score: null }

/** Twice as many as are shown: some may be hidden. */
function bestOf({ plays, works }: Statistics): number[] {
  const latest = new Map<number, number>()
  const films = new Set<number>()
  for (const { work_id, at, lap } of plays.plays) {
    latest.set(work_id, Math.max(at, latest.get(work_id) ?? at))
    if (lap === 0) films.add(work_id)
  }
  const rank = (id: number) => {
    const { rating, score } = ratingOf(works, id)
    return [score ?? 0, rating === null ? -1 : ratingStates.indexOf(rating), latest.get(id) ?? 0]
  }
  return [...new Set([...works.finished, ...films])]
    .map((id) => ({ id, rank: rank(id) }))
    .sort(
      (one, other) =>
        one.rank.reduce((order, value, at) => order || (other.rank[at] ?? 0) - value, 0) || one.id - other.id,
    )
    .slice(0, 2 * mostBest)
    .map(({ id }) => id)
}

/** The first and the last whose day is known; none, or the same twice. */
function endsOf(plays: readonly DatedPlay[]): readonly DatedPlay[] {
  const known = plays.filter(({ day }) => day !== undefined)
  const order = (one: DatedPlay, other: DatedPlay) => (one.day ?? 0) - (other.day ?? 0) || one.at - other.at
  const [some] = known
  if (some === undefined) return []
  return [
    known.reduce((first, play) => (order(play, first) < 0 ? play : first), some),
    known.reduce((last, play) => (order(play, last) >= 0 ? play : last), some),
  ]
}

interface EndOf {
  readonly user: number
  readonly play: DatedPlay
  readonly titles: ReadonlyMap<number, YearWork>
  readonly statistics: Statistics
}

/** Undefined for what has no page. */
async function endOf(read: Read, { user, play, titles, statistics }: EndOf): Promise<YearEnd | undefined> {
  const work = titles.get(play.work_id)
  if (work === undefined || play.day === undefined) return undefined
  const { clock } = statistics
  const [episode] =
    play.lap === 0 ? [] : await episodeOf(read, { user, work: play.work_id, at: play.at, lap: play.lap })
  const minute = Math.floor(clock(play.at) / 60_000) - play.day * 1440
  return {
    work,
    episode: episode ?? null,
    lap: play.lap,
    day: play.day,
    minute: play.precision === 'time' ? minute : null,
  }
}

/** Uses records_user_work. */
const episodeOf = preparedSql<
  { number: string | null; number_text: string },
  { user: number; work: number; at: number; lap: number }
>(
  (slot) => sql`
  select episodes.number, episodes.number_text from records join episodes on episodes.id = records.episode_id
  where records.user_id = ${slot('user')} and records.work_id = ${slot('work')} and records.watched_at = ${slot('at')}
    and records.lap = ${slot('lap')}
  order by records.id limit 1`,
)

const titlesOf = preparedSql<YearWork, { ids: string }>(
  (slot) => sql`
  select works.id, title, title_en, title_ro, media, season_year, season
  from json_each(${slot('ids')}) as wanted cross join works on works.id = wanted.value and works.hidden = 0`,
)
