import { byUsername } from '../accounts/filters'
import { nestedUser } from '../accounts/users'
import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { nested } from '../api/nested-fields'
import { nullable } from '../api/paging'
import { defineResource } from '../api/resource'
import { dateTime, integer, text } from '../api/schema'
import { byId, byIds, byWork } from '../catalogue/filters'
import { work } from '../catalogue/works'
import { isoTime } from '../lib/time'
import { privateSchema } from './flags'
import { byHavingText, byLikes } from './ranked'
import { ratingStateSchema, scoreSchema } from './ratings'
import { type Precision, precisionSchema, watchedSchema, watchedText } from './watched'

/** Also nested in activities (D25). The title is merged into the body (D34). */
export const review = defineResource('Review', 'reviews', ({ from }) => ({
  id: integer('Review id', 31),
  title: from(text('Deprecated: always blank'), [], () => ''),
  body: text('Impression', '見出し\n\n本文'),
  rating_animation_state: ratingStateSchema('Rating of the animation'),
  rating_music_state: ratingStateSchema('Rating of the music'),
  rating_story_state: ratingStateSchema('Rating of the story'),
  rating_character_state: ratingStateSchema('Rating of the characters'),
  rating_overall_state: ratingStateSchema('Overall rating'),
  likes_count: integer('Likes'),
  impressions_count: integer('Page views'),
  created_at: from(dateTime('When it was posted'), ['created_at'], (row) => isoTime(row.created_at)),
  modified_at: from(nullable(dateTime('When it was edited; null if never')), ['modified_at'], (row) =>
    row.modified_at === null ? null : isoTime(row.modified_at),
  ),
  watched_at: from(watchedSchema, ['watched_at', 'watched_at_precision'], (row) =>
    row.watched_at === null ? null : watchedText(row.watched_at, row.watched_at_precision as Precision),
  ),
  watched_at_precision: from(
    nullable(precisionSchema),
    ['watched_at_precision'],
    (row) => row.watched_at_precision,
  ),
  private: from(privateSchema, ['private'], (row) => row.private === 1),
  score: scoreSchema,
  comments_count: integer('Extension: comments'),
}))

export const reviewItem = defineItem('reviews', review, {
  user: nested(nestedUser, (eb) => eb.ref('reviews.user_id')),
  work: nested(work, (eb) => eb.ref('reviews.work_id')),
})

export const reviews = defineList({
  path: '/v1/reviews',
  tag: 'Reviews',
  summary: 'Reviews of works',
  key: 'reviews',
  item: reviewItem,
  rows: {
    indexes: {
      reviews_user_work: ['filter_work_id', 'filter_username'],
      reviews_work: ['filter_work_id'],
      reviews_user: ['filter_username'],
      reviews_keys: [],
    },
  },
  filters: {
    filter_ids: byIds('reviews'),
    filter_work_id: byWork('reviews'),
    filter_has_review_body: byHavingText(
      'reviews',
      'body',
      'Only reviews with a body, or only those without',
    ),
    filter_username: byUsername('reviews', 'user_id', "Extension: only this user's reviews"),
  },
  sorts: { sort_id: byId, sort_likes_count: byLikes },
})
