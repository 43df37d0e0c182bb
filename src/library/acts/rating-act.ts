import { visibleWork } from '../../catalogue/lookups'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { deleteRowOf } from '../delete-own'
import { insertReview } from '../new-review'
import { changedOverall, newOverall, type OverallOpinion, type RatingState } from '../ratings'
import { unrated } from '../viewings'
import type { Act, ActDeps } from './act'
import { visibleWorks } from './bulk-status'
import { type OpenAct, writeAct } from './write-act'

interface OwnRating {
  readonly workId: number
  /** Null removes the rating. */
  readonly ratingState: RatingState | null
  /** From 1 to 100, instead of a word, which it brings (D87). */
  readonly score?: number | undefined
}

type GivenRating = Omit<OwnRating, 'workId'>

/**
 * Rates a work as a whole: in the newest review or viewing that has a rating, else in the newest of all, else in a
 * new review with only the rating. Leaves the status unchanged.
 */
export const rateWork = (deps: ActDeps, userId: number, { workId, ...rating }: OwnRating): Promise<Act> =>
  writeAct(deps, userId, 'rating', async (act) => {
    const work_id = await visibleWork(act.tx, workId)
    await rate(act, work_id, rating)
    return { workId: work_id }
  })

/** Rates several works in a single act, whose `count` is their number. Undo restores all of them or none. */
export const rateWorks = (
  deps: ActDeps,
  userId: number,
  { workIds, ratingState }: { readonly workIds: readonly number[]; readonly ratingState: RatingState },
): Promise<Act> =>
  writeAct(deps, userId, 'rating', async (act) => {
    const works = await visibleWorks(act.tx, workIds)
    for (const work_id of works) await rate(act, work_id, { ratingState })
    return { workId: works[0], count: works.length }
  })

async function rate(act: OpenAct, work_id: number, rating: GivenRating): Promise<void> {
  const [review] = await ratedReview(act.tx, { user: act.userId, work: work_id })
  const isNone = rating.ratingState === null && rating.score === undefined
  if (review === undefined) await (isNone ? undefined : addRating(act, work_id, rating))
  else if (isNone && review.is_bare === 1) await removeReview(act, work_id, review.id)
  else
    await changeRating(
      act,
      work_id,
      review,
      isNone ? { rating_overall_state: null, score: null } : sent(rating),
    )
}

const sent = ({ ratingState, score }: GivenRating) => ({
  rating_overall_state: ratingState ?? undefined,
  score,
})

async function addRating({ tx, userId, now, log }: OpenAct, work_id: number, rating: GivenRating) {
  const [watched_at, watched_at_precision] = [null, null]
  const row = { user_id: userId, work_id, body: '', created_at: now, watched_at, watched_at_precision }
  const review = await insertReview(tx, { ...unrated, ...row, ...newOverall(sent(rating)) })
  await log.inserted('reviews', work_id, review)
}

async function removeReview({ tx, userId, log }: OpenAct, work: number, id: number): Promise<void> {
  await log.deleting('reviews', work, id)
  await deleteRowOf(tx, userId, { table: 'reviews', id, what: 'The rating' })
}

async function changeRating(
  { tx, now, log }: OpenAct,
  work: number,
  { id, score }: { readonly id: number; readonly score: number | null },
  rating: OverallOpinion,
): Promise<void> {
  const change = { ...changedOverall(score, rating), modified_at: now }
  await log.changed('reviews', work, id, () =>
    tx.updateTable('reviews').set(change).where('id', '=', id).execute(),
  )
}

// uses reviews_user
const ratedReview = prepared((tx: Tx, slot: SlotOf<{ user: number; work: number }>) =>
  tx
    .selectFrom('reviews')
    .select(['id', 'score'])
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
