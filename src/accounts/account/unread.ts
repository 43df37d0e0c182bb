import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { preparedSql } from '../../db/prepared'

/** What one is told of, as the API names it (D118). */
export const notificationKinds = [
  ...([
    'like',
    'follow',
    'follow_request',
    'follow_accepted',
    'comment',
    'import',
    'meeting',
    'report',
  ] as const),
  ...(['new_browser', 'episode', 'destination_off'] as const),
  ...(['proposal', 'proposal_accepted', 'proposal_rejected'] as const),
] as const

/** What people choose to be told of, and which `kind`s of notifications it covers. All others are always told here. */
const noticeKinds = {
  episode: ['episode'],
  like: ['like'],
  comment: ['comment'],
  follow: ['follow', 'follow_request', 'follow_accepted'],
  meeting: ['meeting'],
  report: ['report'],
} as const

export type NoticeKind = keyof typeof noticeKinds
export const noticeKindNames = Object.keys(noticeKinds) as readonly NoticeKind[]

/** The word of `noticeKinds` for a column `kind`; `other` for the rest. */
export const noticeKindOf = (column: RawBuilder<string>): RawBuilder<string> => {
  const cases = noticeKindNames.map(
    (name) =>
      sql`when ${column} in (${sql.join(noticeKinds[name].map((kind) => sql.lit(kind)))}) then ${sql.lit(name)}`,
  )
  return sql`case ${sql.join(cases, sql` `)} else 'other' end`
}

/** Whether words with commas between them name one. */
export const isNamedIn = (words: RawBuilder<string>, one: RawBuilder<string>): RawBuilder<SqlBool> =>
  sql`instr(',' || ${words} || ',', ',' || ${one} || ',') > 0`

const kindToldOf = noticeKindOf(sql.ref('notifications.kind'))

/** Notifications of this person that `isSeenBy` lets through, of the kinds that they want here. */
export const isToldTo = (person: RawBuilder<number>) => sql<SqlBool>`${isSeenBy(person)}
  and not ${isNamedIn(sql`(select owner.not_here from users as owner where owner.id = ${person})`, kindToldOf)}`

/**
 * Notifications of this person, but not by people whom they muted or who are blocked, nor about what they can no longer see
 * (D118). Needs a connection that is guarded for them: a comment that they cannot see is not there.
 */
export const isSeenBy = (person: RawBuilder<number>) => sql<SqlBool>`notifications.user_id = ${person}
  and (notifications.comment_id is null or exists (select 1 from comments where comments.id = notifications.comment_id))
  and (notifications.meeting_id is null or exists (select 1 from meetings where meetings.id = notifications.meeting_id))
  and (notifications.episode_id is null or exists (select 1 from episodes where episodes.id = notifications.episode_id and episodes.hidden = 0))
  and ${isByNobodyApart(person)}`

/** Not by whom this person muted, nor across a block. */
export const isByNobodyApart = (
  person: RawBuilder<number>,
) => sql<SqlBool>`(notifications.actor_id is null or not (
  exists (select 1 from mutes where mutes.user_id = ${person} and muted_id = notifications.actor_id)
  or exists (select 1 from blocks where blocks.user_id = ${person} and blocked_id = notifications.actor_id)
  or exists (select 1 from blocks where blocks.user_id = notifications.actor_id and blocked_id = ${person})))`

/** Pages name nobody whom an administrator disabled. */
export const isByShown = sql<SqlBool>`(notifications.actor_id is null
  or exists (select 1 from users as actor where actor.id = notifications.actor_id and actor.disabled_at is null))`

/** How many the page of all of them would show as new. Uses notifications_unread. */
export const unreadOf = (person: RawBuilder<number>): RawBuilder<number> => sql<number>`(
  select count(*) from notifications where ${isToldTo(person)} and (notifications.read_at is null) = 1 and ${isByShown})`

/** By nobody, and about nothing that one could no longer see. */
type OwnKind = { user: number; kind: 'import' | 'new_browser'; at: number }

/** Tells somebody of what happened to their own account. */
export const tellOfOwn = preparedSql<never, OwnKind>(
  (slot) => sql`
    insert into notifications (user_id, kind, created_at)
    select id, ${slot('kind')}, ${slot('at')} from users
    where id = ${slot('user')} and id not in (select user_id from deletions)`,
)

/** For whoever has seen it elsewhere. Uses notifications_unread. */
export const readOwn = preparedSql<never, OwnKind>(
  (slot) => sql`
    update notifications set read_at = ${slot('at')}
    where user_id = ${slot('user')} and (read_at is null) = 1 and kind = ${slot('kind')}`,
)

/** The same, for a read that is guarded for `user`. */
export const countAllUnread = preparedSql<{ notifications_count: number }, { user: number }>(
  (slot) => sql`select ${unreadOf(slot('user'))} as notifications_count`,
)

/** What pages say as `99+`. */
export const mostCounted = 100

/** How many a page of all of them would show as new, at most `mostCounted`. Uses notifications_unread. */
export const countUnread = preparedSql<{ count: number }, { user: number }>(
  (slot) => sql`
    select count(*) as count from (
      select 1 from notifications where ${isToldTo(slot('user'))} and (notifications.read_at is null) = 1 and ${isByShown}
      limit ${sql.lit(mostCounted)})`,
)
