import { visibleWork } from '../../catalogue/lookups'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { deleteRowOf } from '../delete-own'
import { insertReview } from '../new-review'
import { changedOverall, newOverall, type PressedRating, pressedOpinion } from '../ratings'
import { unrated } from '../viewings'
import type { Act, ActDeps } from './act'
import { visibleWorks } from './bulk-status'
import { type OpenAct, writeAct } from './write-act'

/**
 * Rates a work as a whole: in the newest review or viewing that has a rating, else in the newest of all, else in a
 * new review with only the rating. Leaves the status unchanged.
 */
export const rateWork = (
  deps: ActDeps,
  userId: number,
  { workId, ...rating }: PressedRating & { readonly workId: number },
): Promise<Act> =>
  writeAct(deps, userId, 'rating', async (act) => {
    const work_id = await visibleWork(act.tx, workId)
    await rate(act, work_id, rating)
    return { workId: work_id }
  })

/** Rates several works in a single act, whose `count` is their number. Undo restores all of them or none. */
export const rateWorks = (
  deps: ActDeps,
  userId: number,
  { workIds, ...rating }: PressedRating & { readonly workIds: readonly number[] },
): Promise<Act> =>
  writeAct(deps, userId, 'rating', async (act) => {
    const works = await visibleWorks(act.tx, workIds)
    for (const work_id of works) await rate(act, work_id, rating)
    return { workId: works[0], count: works.length }
  })

/** Nothing chosen takes the rating back. */
async function rate(
  act: OpenAct,
  work_id: number,
  { ratingState = null, score }: PressedRating,
): Promise<void> {
  const [review] = await ratedReview(act.tx, { user: act.userId, work: work_id })
  const isNone = ratingState === null && score === undefined
  const rating = { ratingState, score }
  if (review === undefined) await (isNone ? undefined : addRating(act, work_id, rating))
  else if (isNone && review.is_bare === 1) await removeReview(act, work_id, review.id)
  else await changeRating(act, work_id, review, rating)
}

async function addRating({ tx, userId, now, log }: OpenAct, work_id: number, rating: PressedRating) {
  const [watched_at, watched_at_precision] = [null, null]
  const row = { user_id: userId, work_id, body: '', created_at: now, watched_at, watched_at_precision }
  const opinion = newOverall({ score: rating.score, rating_overall_state: rating.ratingState ?? undefined })
  const review = await insertReview(tx, { ...unrated, ...row, ...opinion })
  await log.inserted('reviews', work_id, review)
}

async function removeReview({ tx, userId, log }: OpenAct, work: number, id: number): Promise<void> {
  await log.deleting('reviews', work, id)
  await deleteRowOf(tx, userId, { table: 'reviews', id, what: 'The rating' })
}

async function changeRating(
  { tx, now, log }: OpenAct,
  work: number,
  {
    id,
    ...stored
  }: { readonly id: number; readonly score: number | null; readonly rating_state: string | null },
  rating: PressedRating,
): Promise<void> {
  const { score, rating_state } = pressedOpinion(stored, rating)
  const opinion = changedOverall(stored.score, { score, rating_overall_state: rating_state })
  await log.changed('reviews', work, id, () =>
    tx
      .updateTable('reviews')
      .set({ ...opinion, modified_at: now })
      .where('id', '=', id)
      .execute(),
  )
}

// uses reviews_user
const ratedReview = prepared((tx: Tx, slot: SlotOf<{ user: number; work: number }>) =>
  tx
    .selectFrom('reviews')
    .select(['id', 'score', 'rating_overall_state as rating_state'])
    .select(({ and, eb }) =>
      and([eb('has_body', '=', 0), eb('watched_at', 'is', null)])
        .$castTo<number>()
        .as('is_bare'),
    )
    .where('user_id', '=', slot('user'))
    .where('work_id', '=', slot('work'))
    .orderBy(({ and, eb }) => and([eb('rating_overall_state', 'is', null), eb('score', 'is', null)]))
    .orderBy('id', 'desc')
    .limit(1),
)
