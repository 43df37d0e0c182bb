import { sql } from 'kysely'
import { isSeenBy } from '../account/unread'
import { type ExportSection, exportSection } from './section'

const likes = exportSection(
  'likes',
  (read, userId) =>
    read
      .selectFrom('likes')
      .leftJoin('records', 'records.id', 'record_id')
      .leftJoin('reviews', 'reviews.id', 'review_id')
      .innerJoin('users', (join) =>
        join.on(({ eb, fn, ref }) =>
          eb('users.id', '=', fn.coalesce(ref('records.user_id'), ref('reviews.user_id'))),
        ),
      )
      .select(['likes.id as place', 'record_id', 'review_id', 'username', 'likes.created_at'])
      .where('likes.user_id', '=', userId), // uses likes_user
)

/** Those that the user wrote. */
const comments = exportSection(
  'comments',
  (read, userId) =>
    read
      .selectFrom('comments')
      .innerJoin('users', 'users.id', 'owner_id')
      .select(['comments.id as place', 'comments.id', 'record_id', 'review_id', 'meeting_id', 'username'])
      .select(['body', 'comments.created_at'])
      .where('comments.user_id', '=', userId), // uses comments_user
)

/** What others wrote under the user's records and reviews. */
const commentsReceived = exportSection('comments_received', (read, userId) =>
  read
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.user_id')
    .select(['comments.id as place', 'comments.id', 'record_id', 'review_id', 'meeting_id', 'username'])
    .select(['body', 'comments.created_at'])
    .where('comments.owner_id', '=', userId) // uses comments_owner
    .where('comments.user_id', '<>', userId)
    .where('comments.hidden_by', 'is', null),
)

const followsOf = (name: string, own: 'follower_id' | 'followed_id', other: 'follower_id' | 'followed_id') =>
  exportSection(
    name,
    (read, userId) =>
      read
        .selectFrom('follows')
        .innerJoin('users', 'users.id', `follows.${other}`)
        .select(['follows.id as place', 'username', 'follows.created_at'])
        .where(own, '=', userId), // uses follows_follower or follows_followed
  )

const mutes = exportSection('mutes', (read, userId) =>
  read
    .selectFrom('mutes')
    .innerJoin('users', 'users.id', 'muted_id')
    .select(['muted_id as place', 'username', 'mutes.created_at'])
    .where('user_id', '=', userId),
)

const blocks = exportSection('blocks', (read, userId) =>
  read
    .selectFrom('blocks')
    .innerJoin('users', 'users.id', 'blocked_id')
    .select(['blocked_id as place', 'username', 'blocks.created_at'])
    .where('user_id', '=', userId),
)

/** Without what became of them: a decline tells nobody. */
const requests = (name: string, own: 'follower_id' | 'followed_id', other: 'follower_id' | 'followed_id') =>
  exportSection(name, (read, userId) =>
    read
      .selectFrom('follow_requests')
      .innerJoin('users', 'users.id', `follow_requests.${other}`)
      .select(['follow_requests.id as place', 'username', 'follow_requests.created_at'])
      .where(own, '=', userId)
      .where('withdrawn_at', 'is', null),
  )

/** Of what the user may still see, if the read is guarded for them. */
const notifications = exportSection(
  'notifications',
  (read, userId) =>
    read
      .selectFrom('notifications')
      .leftJoin('users', 'users.id', 'actor_id')
      .leftJoin('likes', 'likes.id', 'like_id')
      .leftJoin('comments', 'comments.id', 'comment_id')
      .select(['notifications.id as place', 'kind as action', 'username'])
      .select(({ fn, ref }) => [
        fn.coalesce(ref('likes.record_id'), ref('comments.record_id')).as('record_id'),
        fn.coalesce(ref('likes.review_id'), ref('comments.review_id')).as('review_id'),
      ])
      .select(['comment_id', 'episode_id', 'notifications.meeting_id', 'meeting_step'])
      .select(['read_at', 'notifications.created_at'])
      .where(isSeenBy(sql`${userId}`)), // uses notifications_user
)

/** Dates to watch together, of the user. */
const meetings = exportSection(
  'meetings',
  (read, userId) =>
    read
      .selectFrom('meetings')
      .select(['id as place', 'id', 'work_id'])
      .select(
        sql<string>`(select json_group_array(episode_id) from meeting_episodes where meeting_id = meetings.id)`.as(
          'episode_ids',
        ),
      )
      .select(['begins_at', 'location', 'body', 'is_open', 'created_at', 'cancelled_at', 'done_at'])
      .where('user_id', '=', userId), // uses meetings_user
  ({ episode_ids, is_open, ...row }) => ({
    ...row,
    episode_ids: JSON.parse(episode_ids),
    is_open: is_open === 1,
  }),
)

/** What the user answered, also to their own. `username`: the host. */
const meetingAnswers = exportSection(
  'meeting_answers',
  (read, userId) =>
    read
      .selectFrom('meeting_people')
      .innerJoin('meetings', 'meetings.id', 'meeting_id')
      .innerJoin('users', 'users.id', 'meetings.user_id')
      .select(['meeting_id as place', 'meeting_id', 'username', 'work_id', 'begins_at', 'answer'])
      .select(['marks_too', 'answered_at', 'marked_at'])
      .where('meeting_people.user_id', '=', userId), // uses meeting_people_user
  ({ marks_too, ...row }) => ({ ...row, marks_too: marks_too === 1 }),
)

/** Those that the user made; of those about the user, only administrators know. */
const reports = exportSection(
  'reports',
  (read, userId) =>
    read
      .selectFrom('reports')
      .innerJoin('users', 'users.id', 'reports.user_id')
      .select(['reports.id as place', 'username', 'record_id', 'review_id', 'comment_id', 'reason', 'text'])
      .select(['reports.created_at', 'closed_at'])
      .where('reporter_id', '=', userId), // uses reports_reporter
)

const moderations = exportSection(
  'moderations',
  (read, userId) =>
    read
      .selectFrom('moderations')
      .select(['id as place', 'kind', 'record_id', 'review_id', 'comment_id', 'reason'])
      .select(['created_at', 'undone_at'])
      .where('user_id', '=', userId), // uses moderations_user
)

/** `username` is that of the other user. */
export const peopleSections: readonly ExportSection[] = [
  followsOf('following', 'follower_id', 'followed_id'),
  followsOf('followers', 'followed_id', 'follower_id'),
  requests('requested', 'follower_id', 'followed_id'),
  requests('follow_requests', 'followed_id', 'follower_id'),
  mutes,
  blocks,
  reports,
  moderations,
  likes,
  comments,
  commentsReceived,
  notifications,
  meetings,
  meetingAnswers,
]
