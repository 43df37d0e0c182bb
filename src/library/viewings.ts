import type { UpdateObject } from 'kysely'
import { defineCommand } from '../api/command'
import { itemSchema } from '../api/item'
import { idParam } from '../api/param-kinds'
import { clearable, param, required } from '../api/params'
import { itemReader } from '../api/read-item'
import { visibleWork } from '../catalogue/lookups'
import type { DB } from '../db/schema'
import type { Tx } from '../db/write'
import { invalidParams, notFound } from '../http/errors'
import { prose } from '../values/text'
import { flagColumn, privateParam } from './flags'
import { type WritingToken, writingTokenOf } from './new-activity'
import { insertReview, type NewReview } from './new-review'
import { changedOverall, newOverall, ratingStateParam, scoreParam, storedScore } from './ratings'
import { reviewItem } from './reviews'
import { editedWatched, type WatchedColumns, watchedOf, watchedParams } from './watched'

const viewingParams = {
  ...watchedParams('the work was'),
  rating_overall_state: ratingStateParam('Overall rating'),
  score: scoreParam,
  body: param(prose(10_000), 'Impression', '本文'),
  private: privateParam('the viewing'),
}

const readReview = itemReader(reviewItem)

/** An extension: a viewing of a film is a review whose body may be blank (D60). */
export const createViewing = defineCommand({
  method: 'POST',
  path: '/v1/me/viewings',
  tag: 'Reviews',
  summary: 'Extension: records that a work without episodes, such as a film, was watched',
  description:
    'A viewing is a review that may have no body. For a work with episodes, record the episodes instead.',
  params: { work_id: required(idParam('The work', 4567)), ...viewingParams },
  answers: () => itemSchema(reviewItem),
  errors: ['not_found'],
  run: async ({ work_id, watched_at, watched_at_precision, body, private: mark, ...rated }, call) => {
    const now = call.deps.now()
    const viewing = {
      user_id: call.viewer.userId,
      body: body ?? '',
      ...newOverall(rated),
      ...watchedOf(watched_at, watched_at_precision, now),
      created_at: now,
      private: flagColumn(mark) ?? null,
    }
    const id = await call.deps.write(async (tx) =>
      insertViewing(tx, { ...viewing, work_id: await visibleWork(tx, work_id) }, writingTokenOf(call.viewer)),
    )
    return readReview(id, call)
  },
})

/** An extension: changes only what is sent; a blank value clears (D32, D60). */
export const updateViewing = defineCommand({
  method: 'PATCH',
  path: '/v1/me/viewings/:id',
  tag: 'Reviews',
  summary: 'Extension: edits a viewing of the caller',
  description: 'Changes only what is sent; a blank value, or null in JSON, clears it.',
  params: {
    id: required(idParam('The review of the viewing', 32)),
    watched_at: clearable(viewingParams.watched_at),
    watched_at_precision: viewingParams.watched_at_precision,
    rating_overall_state: clearable(viewingParams.rating_overall_state),
    score: clearable(viewingParams.score),
    body: clearable(viewingParams.body),
    private: clearable(viewingParams.private),
  },
  answers: () => itemSchema(reviewItem),
  errors: ['not_found'],
  run: async ({ id, watched_at, watched_at_precision, body, private: sent, ...rated }, call) => {
    const now = call.deps.now()
    const watched = editedWatched(watched_at, watched_at_precision, now)
    const edit = {
      ...watched,
      body: body === null ? '' : body,
      private: flagColumn(sent),
      modified_at: now,
    }
    await call.deps.write(async (tx) =>
      updateViewingOf(tx, call.viewer.userId, id, {
        ...edit,
        ...changedOverall(await storedScore(tx, 'reviews', id), rated),
      }),
    )
    return readReview(id, call)
  },
})

type NewViewing = Pick<
  NewReview,
  'private' | 'user_id' | 'work_id' | 'body' | 'rating_overall_state' | 'score' | 'created_at'
> &
  WatchedColumns

/** Inserts its activity too. Returns the id of the review; throws invalid_params for a work with episodes. */
export async function insertViewing(tx: Tx, viewing: NewViewing, writer?: WritingToken): Promise<number> {
  await checkHasNoEpisodes(tx, viewing.work_id)
  return insertReview(tx, { ...unrated, ...viewing }, writer)
}

/** Throws not_found, also for somebody else's review and for one that is not a viewing. */
async function updateViewingOf(
  tx: Tx,
  userId: number,
  id: number,
  edit: UpdateObject<DB, 'reviews'>,
): Promise<void> {
  const changed = await tx
    .updateTable('reviews')
    .set(edit)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('watched_at', 'is not', null)
    .returning('id')
    .execute()
  if (changed.length === 0) throw notFound('The viewing')
}

export const unrated = {
  rating_animation_state: null,
  rating_music_state: null,
  rating_story_state: null,
  rating_character_state: null,
  share_twitter: 0,
  share_facebook: 0,
}

/** Throws invalid_params if it has. */
export async function checkHasNoEpisodes(tx: Tx, id: number): Promise<void> {
  const { episodes_count } = await tx
    .selectFrom('works')
    .select('episodes_count')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (episodes_count > 0)
    throw invalidParams(
      'work_id must be the id of a work without episodes; for other works, record the episodes.',
    )
}
