import { visibleWork } from '../../catalogue/lookups'
import type { Tx } from '../../db/write'
import { notFound } from '../../http/errors'
import { deleteRowOf } from '../delete-own'
import { flagColumn } from '../flags'
import { changedOverall, newOverall, type PressedRating, pressedOpinion } from '../ratings'
import { checkHasNoEpisodes, insertViewing } from '../viewings'
import type { WatchedColumns } from '../watched'
import type { Act, ActDeps } from './act'
import { followWithStatus, type MarkedEntry, markBy, statusOf } from './status-change'
import { type OpenAct, writeAct } from './write-act'

interface ViewingInput extends PressedRating {
  readonly watched?: WatchedColumns | undefined
  readonly body?: string | undefined
  /** Whether only its user sees it; by default as they prefer, or as it was (D72). */
  readonly isPrivate?: boolean | undefined
}

/** D60. A work without a status, or with wanna_watch or watching, becomes watched. */
export const logViewing = (
  deps: ActDeps,
  userId: number,
  { workId, ratingState, score, watched, body, isPrivate }: ViewingInput & { readonly workId: number },
): Promise<Act> =>
  writeAct(deps, userId, 'viewing', async (act) => {
    const { tx, now, log } = act
    const work_id = await visibleWork(tx, workId)
    const review = await insertViewing(tx, {
      user_id: userId,
      work_id,
      body: body ?? '',
      ...newOverall({ rating_overall_state: ratingState ?? undefined, score }),
      watched_at: watched?.watched_at ?? now,
      watched_at_precision: watched?.watched_at_precision ?? 'time',
      created_at: now,
      private: flagColumn(isPrivate) ?? null,
    })
    await log.inserted('reviews', work_id, review)
    await finishWatching(act, work_id, { isPrivate })
    return { workId: work_id }
  })

/**
 * Edits a viewing, or a review, which has no time. Undefined leaves a value unchanged; null clears the rating
 * with its number, '' the body. Throws invalid_params for a time on a review of a work with episodes (D60).
 */
export const editViewing = (
  deps: ActDeps,
  userId: number,
  { reviewId, watched, body, isPrivate, ...rating }: ViewingInput & { readonly reviewId: number },
): Promise<Act> =>
  writeAct(deps, userId, 'edit_viewing', async ({ tx, now, log }) => {
    const { work_id, watched_at, ...stored } = await ownReview(tx, userId, reviewId)
    if (watched !== undefined && watched_at === null) await checkHasNoEpisodes(tx, work_id)
    const mark = { private: flagColumn(isPrivate) }
    const { score, rating_state } = pressedOpinion(stored, rating)
    const opinion = changedOverall(stored.score, { score, rating_overall_state: rating_state })
    const edit = { body, ...opinion, ...watched, ...mark, modified_at: now }
    await log.changed('reviews', work_id, reviewId, () =>
      tx.updateTable('reviews').set(edit).where('id', '=', reviewId).execute(),
    )
    return { workId: work_id }
  })

export const deleteViewing = (
  deps: ActDeps,
  userId: number,
  { reviewId }: { readonly reviewId: number },
): Promise<Act> =>
  writeAct(deps, userId, 'delete_viewing', async ({ tx, log }) => {
    const { work_id } = await ownReview(tx, userId, reviewId)
    await log.deleting('reviews', work_id, reviewId)
    await deleteRowOf(tx, userId, { table: 'reviews', id: reviewId, what: 'The viewing' })
    return { workId: work_id }
  })

/** A work without a status, or with wanna_watch or watching, becomes watched. */
async function finishWatching(act: OpenAct, work_id: number, entry: MarkedEntry = {}): Promise<void> {
  const kind = await statusOf(act.tx, act.userId, work_id)
  if (kind === undefined || kind === 'wanna_watch' || kind === 'watching')
    await followWithStatus(act, { work_id, kind: 'watched', ...markBy(entry) })
}

async function ownReview(tx: Tx, userId: number, id: number) {
  const review = await tx
    .selectFrom('reviews')
    .select(['work_id', 'watched_at', 'score', 'rating_overall_state as rating_state'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (review === undefined) throw notFound('The viewing')
  return review
}
