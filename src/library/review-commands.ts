import { defineCommand } from '../api/command'
import { itemSchema } from '../api/item'
import { flagParam, idParam } from '../api/param-kinds'
import { clearable, type Param, param, required, withDefault } from '../api/params'
import { itemReader } from '../api/read-item'
import { visibleWork } from '../catalogue/lookups'
import { invalidParams, notFound } from '../http/errors'
import { prose } from '../values/text'
import { deleteOwn } from './delete-own'
import { flagColumn, privateParam, shareColumns } from './flags'
import { writingTokenOf } from './new-activity'
import { insertReview } from './new-review'
import { changedOverall, newOverall, ratingStateParam, scoreParam, storedScore } from './ratings'
import { reviewItem } from './reviews'

const anyBody = param(prose(10_000), 'Impression', '本文')
const body = required(anyBody)
/** For reviews that may consist of ratings only. */
const bodyOrNone = withDefault(anyBody, '')
const title = param(prose(300), 'Deprecated: added in front of the body', '見出し')

const states = {
  rating_animation_state: ratingStateParam('Rating of the animation'),
  rating_music_state: ratingStateParam('Rating of the music'),
  rating_story_state: ratingStateParam('Rating of the story'),
  rating_character_state: ratingStateParam('Rating of the characters'),
  rating_overall_state: ratingStateParam('Overall rating'),
  score: scoreParam,
}

const shares = {
  share_twitter: flagParam('Stored with the review; nothing is posted'),
  share_facebook: flagParam('Stored with the review; nothing is posted'),
}

const mark = privateParam('the review')

const reviewId = required(idParam('The review', 31))
const readReview = itemReader(reviewItem)
const answers = () => itemSchema(reviewItem)

/** Puts the title before the body, with a blank line between (D34). Throws invalid_params if both are too long. */
function bodyWithTitle(title: string | undefined, body: string): string {
  if (title === undefined) return body
  if (body === '') return title
  const whole = `${title}\n\n${body}`
  if (whole.length > 10_000 && [...whole].length > 10_000)
    throw invalidParams('body must be at most 10000 characters long, including the title.')
  return whole
}

const creating = (body: Param<string, string>) =>
  defineCommand({
    method: 'POST',
    path: '/v1/me/reviews',
    tag: 'Reviews',
    summary: 'Reviews a work',
    params: {
      work_id: required(idParam('The work', 10079)),
      body,
      title,
      ...states,
      share_twitter: withDefault(shares.share_twitter, false),
      share_facebook: withDefault(shares.share_facebook, false),
      private: mark,
    },
    answers,
    errors: ['not_found'],
    run: async ({ work_id, body, title, share_twitter, share_facebook, ...rated }, call) => {
      const own = { user_id: call.viewer.userId, created_at: call.deps.now() }
      const written = {
        body: bodyWithTitle(title, body),
        rating_animation_state: rated.rating_animation_state ?? null,
        rating_music_state: rated.rating_music_state ?? null,
        rating_story_state: rated.rating_story_state ?? null,
        rating_character_state: rated.rating_character_state ?? null,
        ...newOverall(rated),
        share_twitter: Number(share_twitter),
        share_facebook: Number(share_facebook),
        watched_at: null,
        watched_at_precision: null,
        private: flagColumn(rated.private) ?? null,
      }
      const id = await call.deps.write(async (tx) => {
        const review = { ...own, work_id: await visibleWork(tx, work_id), ...written }
        return insertReview(tx, review, writingTokenOf(call.viewer))
      })
      return readReview(id, call)
    },
  })

/** Its activity is create_review (D26, D31, D35). */
export const createReview = creating(body)

/** For GraphQL, where a review may consist of ratings only. */
export const createReviewOrRatings = creating(bodyOrNone)

const editing = (body: Param<string, string>) =>
  defineCommand({
    method: 'PATCH',
    path: '/v1/me/reviews/:id',
    tag: 'Reviews',
    summary: 'Edits a review of the caller',
    description:
      'Changes only what is sent; a blank rating or flag, or null in JSON, clears it. PUT does the same.',
    params: {
      id: reviewId,
      body,
      title,
      rating_animation_state: clearable(states.rating_animation_state),
      rating_music_state: clearable(states.rating_music_state),
      rating_story_state: clearable(states.rating_story_state),
      rating_character_state: clearable(states.rating_character_state),
      rating_overall_state: clearable(states.rating_overall_state),
      score: clearable(states.score),
      share_twitter: clearable(shares.share_twitter),
      share_facebook: clearable(shares.share_facebook),
      private: clearable(mark),
    },
    answers,
    errors: ['not_found'],
    run: async ({ id, body, title, share_twitter, share_facebook, private: sent, ...rated }, call) => {
      const row = {
        body: bodyWithTitle(title, body),
        modified_at: call.deps.now(),
        private: flagColumn(sent),
      }
      const columns = { ...row, ...rated, ...shareColumns({ share_twitter, share_facebook }) }
      const changed = await call.deps.write(async (tx) =>
        tx
          .updateTable('reviews')
          .set({ ...columns, ...changedOverall(await storedScore(tx, 'reviews', id), rated) })
          .where('id', '=', id)
          .where('user_id', '=', call.viewer.userId)
          .returning('id')
          .execute(),
      )
      if (changed.length === 0) throw notFound('The review')
      return readReview(id, call)
    },
  })

/** The body is required, a blank state clears it, and a title is merged again (D32, D34). */
export const updateReview = editing(body)

/** For GraphQL, where a review may consist of ratings only. */
export const updateReviewOrRatings = editing(bodyOrNone)

export const deleteReview = defineCommand({
  method: 'DELETE',
  path: '/v1/me/reviews/:id',
  tag: 'Reviews',
  summary: 'Deletes a review of the caller',
  params: { id: reviewId },
  errors: ['not_found'],
  run: ({ id }, call) => deleteOwn(call, { table: 'reviews', id, what: 'The review' }),
})
