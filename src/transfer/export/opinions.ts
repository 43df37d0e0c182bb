import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import type { RatingState } from '../../library/ratings'
import type { Precision } from '../../library/watched'

export interface Opinion {
  /** From the newest review with an overall rating. */
  readonly rating: RatingState | null
  /** The newest body that is not blank. */
  readonly note: string
  /** Times of viewings, as far as known (D60). */
  readonly viewings: readonly (readonly [at: number, precision: Exclude<Precision, 'none'>])[]
}

interface ReviewRow {
  readonly id: number
  readonly work_id: number
  readonly rating_overall_state: RatingState | null
  readonly has_body: number
  readonly watched_at: number | null
  readonly watched_at_precision: Precision | null
}

/** By work; leaves out works without a review. */
export async function opinionsOf(
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
    select reviews.id, work_id, rating_overall_state, has_body, watched_at, watched_at_precision
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
  rating: reviews.find((one) => one.rating_overall_state !== null)?.rating_overall_state ?? null,
  note,
  viewings: reviews.flatMap(({ watched_at, watched_at_precision: known }) =>
    watched_at === null || known === null || known === 'none' ? [] : [[watched_at, known] as const],
  ),
})
