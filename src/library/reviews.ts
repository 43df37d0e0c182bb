import { sql } from 'kysely'
import { byUsername } from '../accounts/filters'
import { nestedUser } from '../accounts/users'
import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { countedBy, filter } from '../api/list-declaration'
import { nested } from '../api/nested-fields'
import { nullable } from '../api/paging'
import { flagParam } from '../api/param-kinds'
import { defineResource } from '../api/resource'
import { dateTime, integer, text } from '../api/schema'
import { byId, byIds, byWork } from '../catalogue/filters'
import { survivor } from '../catalogue/survivors'
import { work } from '../catalogue/works'
import { isoTime } from '../lib/time'
import { byLikes, countedByFlag } from './ranked'
import { ratingStateSchema } from './ratings'
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
    countedIn: countedByFlag('reviews', 'filter_has_review_body', 'body'),
    indexes: {
      'filter_work_id filter_has_review_body': 'reviews_work',
      'filter_has_review_body filter_username': 'reviews_user',
      'filter_work_id filter_username': 'reviews_user_work',
    },
  },
  filters: {
    filter_ids: byIds('reviews'),
    filter_work_id: countedBy(
      'reviews by work',
      (slot) => survivor('works', slot('work')),
      byWork('reviews'),
    ),
    filter_has_review_body: filter(
      flagParam('Only reviews with a body, or only those without'),
      (has) => ({ has: Number(has) }),
      // uses reviews_body, or the other filter's index, which also has the column
      (_, slot, { isOnlyFilter }) => sql`${isOnlyFilter ? sql`` : sql`+`}reviews.has_body = ${slot('has')}`,
    ),
    filter_username: byUsername(
      'reviews',
      'user_id',
      "Extension: only this user's reviews",
      'reviews by user',
    ),
  },
  sorts: { sort_id: byId, sort_likes_count: byLikes },
})
