import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Precision } from '../../library/watched'
import { commentColumns, commentPrecision, isShownTo, likedBy } from '../parts/comment-columns'

type Asked = { user: number; work: number }

/** Commented records by others on episodes of the work, in any order. */
const commentedRecords = (read: Read, slot: SlotOf<Asked>) =>
  read
    .selectFrom('records')
    .innerJoin('users', 'users.id', 'records.user_id')
    .innerJoin('episodes', 'episodes.id', 'records.episode_id')
    .select(commentColumns)
    .select(['records.created_at', 'records.episode_id', 'episodes.number', 'episodes.number_text'])
    .select([
      commentPrecision,
      likedBy(slot('user')),
      // uses records_user_episode
      sql<number>`exists (select 1 from records as own where own.user_id = ${slot('user')}
        and own.episode_id = records.episode_id)`.as('was_seen'),
    ])
    .where('records.work_id', '=', slot('work'))
    .where(sql<boolean>`+records.has_comment = 1`)
    .where('episodes.hidden', '=', 0)
    .where(isShownTo(slot('user')))
    .limit(10)

// uses records_work, which tells whether there is a comment
export const newestRecords = prepared((read, slot: SlotOf<Asked>) =>
  commentedRecords(read, slot).orderBy('records.id', 'desc'),
)

// uses records_work_liked
export const mostLikedRecords = prepared((read, slot: SlotOf<Asked>) =>
  commentedRecords(read, slot)
    .where('records.likes_count', '>', 0)
    .orderBy('records.likes_count', 'desc')
    .orderBy('records.id', 'desc'),
)

/** Reviews by others that have a body, most liked first, then newest. */
export const reviewsOfWork = prepared((read, slot: SlotOf<Asked>) =>
  read
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .select([
      'reviews.id',
      'users.username',
      'users.avatar_url',
      'reviews.body as text',
      'reviews.rating_overall_state as rating',
    ])
    .select([
      'reviews.watched_at',
      sql<Precision>`ifnull(reviews.watched_at_precision, 'time')`.as('precision'),
    ])
    .select(['reviews.likes_count', 'reviews.created_at'])
    .select([
      sql<number>`exists (select 1 from likes where review_id = reviews.id and user_id = ${slot('user')})`.as(
        'liked',
      ),
    ])
    // uses reviews_work
    .where('reviews.work_id', '=', slot('work'))
    .where(sql<boolean>`+reviews.has_body = 1`)
    .where(isShownTo(slot('user')))
    .orderBy('reviews.likes_count', 'desc')
    .orderBy('reviews.id', 'desc')
    .limit(10),
)
