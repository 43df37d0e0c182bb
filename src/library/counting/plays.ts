import { type RawBuilder, sql } from 'kysely'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import type { RatingState } from '../ratings'
import type { StatusKind } from '../statuses'
import type { Precision } from '../watched'

/** Something watched once: an episode in any lap, or a film (D90). `at`: epoch milliseconds. */
export interface CountedPlay {
  readonly work_id: number
  readonly at: number
  readonly precision: Precision
  /** Of films 0. */
  readonly lap: number
}

export interface CountedReview {
  readonly work_id: number
  /** Null unless it is a viewing. */
  readonly at: number | null
  readonly precision: Precision | null
  readonly rating: RatingState | null
  /** 1 to 100 (D87). */
  readonly score: number | null
}

export interface CountedStatus {
  readonly work_id: number
  readonly kind: StatusKind
  readonly started_on: string | null
  readonly finished_on: string | null
}

export interface WorkFacts {
  readonly id: number
  readonly media: string
  readonly season_year: number | null
  readonly season: string | null
  readonly minutes: number | null
}

/** All that somebody watched, as far as the reader may see it, with what is known of these works. */
export interface Watched {
  readonly plays: readonly CountedPlay[]
  /** Oldest first, viewings among them. */
  readonly reviews: readonly CountedReview[]
  readonly statuses: readonly CountedStatus[]
  readonly works: ReadonlyMap<number, WorkFacts>
}

/** `whose`: `shareable` leaves out what is private or hidden, also of the reader's own. */
export async function readWatched(
  read: Read,
  user: number,
  whose: 'all' | 'shareable' = 'all',
): Promise<Watched> {
  const { playsOf, reviewsOf, statusesOf } = queries[whose]
  const records = await playsOf(read, { user })
  const reviews = await reviewsOf(read, { user })
  const statuses = await statusesOf(read, { user })
  const films = reviews.flatMap(({ work_id, at, precision }) =>
    at === null || precision === null ? [] : [{ work_id, at, precision, lap: 0 }],
  )
  const ids = new Set<number>()
  for (const rows of [records, reviews, statuses]) for (const { work_id } of rows) ids.add(work_id)
  const facts = await factsOf(read, { ids: JSON.stringify([...ids]) })
  const works = new Map(facts.map((work) => [work.id, work]))
  return { plays: records.concat(films), reviews, statuses, works }
}

const queriesOf = (which: RawBuilder<unknown>) => ({
  /** All of them are read from records_user_work alone. */
  playsOf: preparedSql<CountedPlay, { user: number }>(
    (slot) => sql`
    select work_id, watched_at as at, watched_at_precision as precision, lap from records
    where user_id = ${slot('user')}${which}`,
  ),
  /** Uses reviews_user. */
  reviewsOf: preparedSql<CountedReview, { user: number }>(
    (slot) => sql`
    select work_id, watched_at as at, watched_at_precision as precision, rating_overall_state as rating, score
    from reviews where user_id = ${slot('user')}${which} order by id`,
  ),
  statusesOf: preparedSql<CountedStatus, { user: number }>(
    (slot) => sql`
    select work_id, kind, started_on, finished_on from statuses where user_id = ${slot('user')}${which}`,
  ),
})

const queries = {
  all: queriesOf(sql``),
  shareable: queriesOf(sql` and private = 0 and hidden_by is null`),
}

const factsOf = preparedSql<WorkFacts, { ids: string }>(
  (slot) => sql`
  select works.id, media, season_year, season, minutes from json_each(${slot('ids')}) as wanted
    cross join works on works.id = wanted.value`,
)
