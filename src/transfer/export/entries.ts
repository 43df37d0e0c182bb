import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { preparedSql, type SlotOf } from '../../db/prepared'
import { localTime } from '../../lib/local-time'
import type { RatingState } from '../../library/ratings'
import type { Precision } from '../../library/watched'
import { isBefore } from '../plan/file-dates'
import type { PartialDate } from '../row'
import type { Entry } from './entry'
import { malId } from './listed-works'

/** Whose lists to export, and the time zone of dates; `now` is in epoch milliseconds. */
export interface Exporter {
  readonly read: Read
  now(): number
  readonly userId: number
  readonly timeZone: string
}

const atOnce = 100

/** The user's entry for each of these works, in their order. */
export async function* entriesOf(
  { read, userId, timeZone }: Exporter,
  works: readonly { readonly id: number }[],
): AsyncGenerator<Entry> {
  for (let from = 0; from < works.length; from += atOnce) {
    const ids = works.slice(from, from + atOnce).map(({ id }) => id)
    const rows = new Map(
      (await rowsOf(read, { user: userId, works: JSON.stringify(ids) })).map((row) => [row.workId, row]),
    )
    const opinions = await opinionsOf(read, userId, ids)
    for (const id of ids) {
      const row = rows.get(id)
      if (row !== undefined) yield entryOf(row, opinions.get(id), timeZone)
    }
    // SQLite calls are synchronous: yield to waiting requests.
    await new Promise(setImmediate)
  }
}

interface EntryRow extends Omit<Entry, 'progress' | 'total' | 'rewatches' | 'rating' | 'score' | 'note'> {
  readonly no_episodes: number
  readonly episodes_count: number
  readonly rewatches: number | null
  readonly laps: number
  readonly recorded: number
  /** JSON of a `Watched`. */
  readonly first: string | null
  readonly last: string | null
}

interface Opinion {
  /** Both from the newest review with one of them. */
  readonly rating: RatingState | null
  readonly score: number | null
  /** The newest body that is not blank. */
  readonly note: string
  /** Times of viewings, as far as known (D60). */
  readonly viewings: readonly (readonly [at: number, precision: Exclude<Precision, 'none'>])[]
}

interface ReviewRow {
  readonly id: number
  readonly work_id: number
  readonly rating_overall_state: RatingState | null
  readonly score: number | null
  readonly has_body: number
  readonly watched_at: number | null
  readonly watched_at_precision: Precision | null
}

/** By work; leaves out works without a review. */
async function opinionsOf(
  read: Read,
  userId: number,
  workIds: readonly number[],
): Promise<ReadonlyMap<number, Opinion>> {
  const byWork = Map.groupBy(
    await reviewsOf(read, { user: userId, works: JSON.stringify(workIds) }),
    ({ work_id }) => work_id,
  )
  const bodies = await bodiesOf(
    read,
    [...byWork.values()].flatMap((reviews) => reviews.find(({ has_body }) => has_body === 1)?.id ?? []),
  )
  return new Map([...byWork].map(([id, reviews]) => [id, opinionOf(reviews, bodies.get(id) ?? '')]))
}

/** Newest first, without their bodies. Uses reviews_user_work. */
const reviewsOf = preparedSql<ReviewRow, { user: number; works: string }>(
  (slot) => sql<ReviewRow>`
    select reviews.id, work_id, rating_overall_state, score, has_body, watched_at, watched_at_precision
    from json_each(${slot('works')}) as one
    cross join reviews on reviews.user_id = ${slot('user')} and reviews.work_id = one.value
    order by reviews.id desc`,
)

async function bodiesOf(read: Read, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await read.selectFrom('reviews').select(['work_id', 'body']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ work_id, body }) => [work_id, body]))
}

const opinionOf = (reviews: readonly ReviewRow[], note: string): Opinion => ({
  ...ratedIn(reviews.find((one) => one.rating_overall_state !== null || one.score !== null)),
  note,
  viewings: reviews.flatMap(({ watched_at, watched_at_precision: known }) =>
    watched_at === null || known === null || known === 'none' ? [] : [[watched_at, known] as const],
  ),
})

const ratedIn = (review: ReviewRow | undefined) => ({
  rating: review?.rating_overall_state ?? null,
  score: review?.score ?? null,
})

/** Epoch milliseconds, and how exactly the time is known. */
type Watched = readonly [at: number, precision: Exclude<Precision, 'none'>]

const rowsOf = preparedSql<EntryRow, { user: number; works: string }>(
  (slot) => sql<EntryRow>`
    select works.id as workId, title, media, season_year as year, ${malId} as malId, no_episodes, episodes_count,
      kind as status, changed_at as changedAt, started_on as startedOn, finished_on as finishedOn, rewatches,
      ifnull((select max(number) from laps where user_id = ${slot('user')} and work_id = works.id), 1) as laps,
      (select count(*) from episodes as e where e.work_id = works.id and e.hidden = 0
        and exists (select 1 from records where user_id = ${slot('user')} and episode_id = e.id)) as recorded,
      ${watched(slot, 'asc')} as first, ${watched(slot, 'desc')} as last
    from json_each(${slot('works')}) as one join works on works.id = one.value
    left join statuses on statuses.user_id = ${slot('user')} and statuses.work_id = works.id`,
)

/** Of records. Uses records_user_work. */
const watched = (slot: SlotOf<{ user: number; works: string }>, order: 'asc' | 'desc') => sql`(
  select json_array(watched_at, watched_at_precision) from records
  where user_id = ${slot('user')} and work_id = works.id and watched_at_precision <> 'none'
  order by watched_at ${sql.raw(order)} limit 1)`

function entryOf(
  { first, last, no_episodes, episodes_count, laps, recorded, ...row }: EntryRow,
  opinion: Opinion | undefined,
  timeZone: string,
): Entry {
  const times = [first, last].flatMap((json): Watched[] => (json === null ? [] : [JSON.parse(json)]))
  const all = [...times, ...(opinion?.viewings ?? [])].sort(([one], [other]) => one - other)
  const hasSeen = row.status === 'watched' || (opinion?.viewings.length ?? 0) > 0
  const isFilm = no_episodes === 1
  const started = dayOf(all.at(0), timeZone)
  const finished = row.status === 'watched' ? dayOf(all.at(-1), timeZone) : null
  return {
    ...row,
    progress: isFilm ? Number(hasSeen) : recorded,
    total: isFilm ? 1 : episodes_count,
    rewatches: Math.max(laps - 1, row.rewatches ?? 0),
    rating: opinion?.rating ?? null,
    score: opinion?.score ?? null,
    note: opinion?.note ?? '',
    startedOn: row.startedOn ?? (mayBegin(started, row.finishedOn) ? started : null),
    finishedOn: row.finishedOn ?? (mayBegin(row.startedOn, finished) ? finished : null),
  }
}

/** Whether a date told by records may stand beside the one given for the other end, as in `status-dates.ts`. */
const mayBegin = (start: PartialDate | null, end: PartialDate | null): boolean =>
  start === null || end === null || (start !== end && !isBefore(end, start))

const partLength = { time: 10, day: 10, month: 7, year: 4 }

/** As exactly as it is known: a time by that zone's clock; a date as it is, which is stored as its noon in UTC. */
export function dayOf(watched: Watched | undefined, timeZone: string): PartialDate | null {
  if (watched === undefined) return null
  const [at, precision] = watched
  const { year, month, day } = localTime(at, precision === 'time' ? timeZone : 'UTC')
  const parts = [String(year).padStart(4, '0'), ...[month, day].map((part) => String(part).padStart(2, '0'))]
  return parts.join('-').slice(0, partLength[precision])
}
