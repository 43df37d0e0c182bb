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
      .select(['comments.id as place', 'comments.id', 'record_id', 'review_id', 'username', 'body'])
      .select('comments.created_at')
      .where('comments.user_id', '=', userId), // uses comments_user
)

/** What others wrote under the user's records and reviews. */
const commentsReceived = exportSection('comments_received', (read, userId) =>
  read
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.user_id')
    .select(['comments.id as place', 'comments.id', 'record_id', 'review_id', 'username', 'body'])
    .select('comments.created_at')
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
      .select(['comment_id', 'episode_id', 'read_at', 'notifications.created_at'])
      .where('notifications.user_id', '=', userId), // uses notifications_user
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
]
