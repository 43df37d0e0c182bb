import { sql } from 'kysely'
import { isByShown, isToldTo, notificationKinds } from '../../accounts/account/unread'
import { coverColumns } from '../../catalogue/cover-path'
import { isOnlyOfItsNumber } from '../../catalogue/shown'
import type { Read } from '../../db/open'
import { prepared, preparedSql, type SlotOf } from '../../db/prepared'

export type Notice = Awaited<ReturnType<typeof noticesOf>>[number]

type NoticesQuery = { user: number; before: number; limit: number }

const recordOf = sql<number | null>`ifnull(likes.record_id, comments.record_id)`
const reviewOf = sql<number | null>`ifnull(likes.review_id, comments.review_id)`
const meetingOf = sql<number | null>`ifnull(notifications.meeting_id, comments.meeting_id)`

/**
 * Others who like the same are told of by the newest of them. The likes come first: the other way round, each row would be
 * compared with all that one was ever told, which took 63 ms of 20,000.
 */
const sameEntry = sql`(other.record_id = likes.record_id or other.review_id = likes.review_id)`
const alike = sql`from likes as other cross join notifications as told on told.like_id = other.id
  where ${sameEntry} and told.user_id = notifications.user_id`

const shownKinds = notificationKinds.filter((kind) => kind !== 'follow_request')

/**
 * Newest first, from below `before`. Requests to follow stand apart. Needs a read that is
 * guarded for `user`. Uses notifications_user.
 */
export const noticesOf = prepared((read, slot: SlotOf<NoticesQuery>) =>
  withSubjects(read)
    .select([
      'notifications.id',
      'notifications.kind',
      'read_at',
      'notifications.created_at',
      'actor_id',
      'began_at',
    ])
    .select(['users.username', 'users.avatar_url', 'users.privacy', 'comment_id', 'comments.body'])
    .select(sql<number | null>`coalesce(records.user_id, reviews.user_id, meetings.user_id)`.as('owner'))
    .select('proposal_id')
    .select([meetingOf.as('meeting_id'), 'meeting_step', 'meetings.begins_at'])
    .select([recordOf.as('record_id'), reviewOf.as('review_id'), 'works.id as work_id'])
    .select(['works.title', 'works.title_en', 'works.title_ro', 'works.hidden'])
    .select(['episodes.id as episode_id', 'episodes.number', 'episodes.number_text'])
    .select(isOnlyOfItsNumber.as('is_only'))
    .select(coverColumns(slot('user')))
    .select([
      sql<number>`(select count(*) ${alike})`.as('likers'),
      sql<number>`exists (select 1 from follows as own
        where own.follower_id = ${slot('user')} and own.followed_id = notifications.actor_id)`.as('follows'),
      sql<number>`exists (select 1 from follow_requests as own where own.follower_id = ${slot('user')}
        and own.followed_id = notifications.actor_id and own.withdrawn_at is null)`.as('asks'),
      sql<number>`exists (select 1 from records as own
        where own.user_id = ${slot('user')} and own.episode_id = episodes.id)`.as('is_recorded'),
    ])
    .where(isToldTo(slot('user')))
    .where(isByShown)
    .where('notifications.id', '<', slot('before'))
    .where('notifications.kind', 'in', shownKinds)
    .where(
      sql<boolean>`(notifications.like_id is null or not exists (select 1 ${alike} and told.id > notifications.id))`,
    )
    .orderBy('notifications.id', 'desc')
    .limit(slot('limit')),
)

/** The only episode of a date; one of several has no ✓ of its own. */
const firstOfMeeting = sql`(select max(episode_id) from meeting_episodes
  where meeting_id = notifications.meeting_id having count(*) = 1)`

/** Who did it, and the work and the episode that it is about. */
const withSubjects = (read: Read) =>
  read
    .selectFrom('notifications')
    .leftJoin('users', 'users.id', 'notifications.actor_id')
    .leftJoin('likes', 'likes.id', 'notifications.like_id')
    .leftJoin('comments', 'comments.id', 'notifications.comment_id')
    .leftJoin('records', (join) => join.on('records.id', '=', recordOf))
    .leftJoin('reviews', (join) => join.on('reviews.id', '=', reviewOf))
    .leftJoin('meetings', (join) => join.on('meetings.id', '=', meetingOf))
    .leftJoin('episodes', (join) =>
      join.on(
        'episodes.id',
        '=',
        sql<number>`coalesce(notifications.episode_id, records.episode_id, ${firstOfMeeting})`,
      ),
    )
    .leftJoin('works', (join) =>
      join.on(
        'works.id',
        '=',
        sql<number>`coalesce(records.work_id, reviews.work_id, meetings.work_id, episodes.work_id,
          (select nullif(work_id, 0) from catalogue_proposals where catalogue_proposals.id = notifications.proposal_id))`,
      ),
    )

export interface AskingPerson {
  readonly id: number
  readonly username: string
  readonly avatar_url: string
  readonly created_at: number
  readonly is_new: number
}

/** Who asks to follow, as many as may wait: not of those who are muted or disabled. */
export const askingOf = preparedSql<AskingPerson, { user: number }>(
  (slot) => sql`
    select users.id, username, avatar_url, follow_requests.created_at,
      exists (select 1 from notifications where request_id = follow_requests.id and read_at is null) as is_new
    from follow_requests join users on users.id = follower_id
    where followed_id = ${slot('user')} and declined_at is null and disabled_at is null
      and not exists (select 1 from mutes where user_id = ${slot('user')} and muted_id = follower_id)
    order by follow_requests.id limit 200`,
)

/** What was on the page: everything told between these, and all likes of what the newest like is shown of. */
export interface ShownSpan {
  readonly user: number
  readonly from: number
  readonly to: number
  /** A JSON array of the ids of the notifications shown. */
  readonly shown: string
  readonly requests: 0 | 1
  readonly at: number
}

/** Uses notifications_unread. */
export const markShown = preparedSql<{ id: number }, { [Name in keyof ShownSpan]: ShownSpan[Name] }>(
  (slot) => sql`
    update notifications set read_at = ${slot('at')}
    where user_id = ${slot('user')} and (read_at is null) = 1 and (
      (id between ${slot('from')} and ${slot('to')} and request_id is null) or (request_id is not null and ${slot('requests')})
      or like_id in (select other.id from json_each(${slot('shown')}) as one
        join likes on likes.id = (select like_id from notifications as told where told.id = one.value)
        join likes as other on ${sameEntry}))`,
)

export const markAll = preparedSql<{ id: number }, { user: number; at: number }>(
  (slot) => sql`
    update notifications set read_at = ${slot('at')} where user_id = ${slot('user')} and (read_at is null) = 1`,
)
