import { type RawBuilder, sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'

/** Whose feed it is, and what it contains. */
export interface FeedOf {
  /** The user who follows. */
  readonly follower: number
  /** The user whose muted users are left out; 0 for none. */
  readonly mutedBy: number
  /** 1 if the follower's own activities belong to it. */
  readonly own: 0 | 1
}

/** What a cached feed depends on: follows and mutes, the last activity and the last deletion. */
export const readFeedKey = prepared<
  { followed: number; last_id: number; last_deletion: number },
  { follower: number; mutedBy: number }
>((read, slot) =>
  read.selectNoFrom([
    // Versions only increase, so their sum changes with each of them.
    sql<number>`(
      select sum(feed_version) from users where users.id in (${slot('follower')}, ${slot('mutedBy')}))`.as(
      'followed',
    ),
    sql<number>`ifnull((select max(id) from activities), 0)`.as('last_id'),
    sql<number>`ifnull((select max(id) from activity_deletions), 0)`.as('last_deletion'),
  ]),
)

type Followed = { follower: number; mutedBy: number; own: number; after: number }

const isFollowed = (user: RawBuilder<unknown>, slot: SlotOf<Followed>) => sql<boolean>`${user} in (
  select shown.user_id from (
    select followed_id as user_id from follows where follower_id = ${slot('follower')}
    union all select ${slot('follower')} where ${slot('own')}) as shown
  where shown.user_id not in (select muted_id from mutes where mutes.user_id = ${slot('mutedBy')}))`

/** Uses activities_user, once per followed user. */
export const activitiesAfter = prepared<{ id: number; action: string }, Followed>((read, slot) =>
  read
    .selectFrom('activities')
    .select(['id', 'action'])
    .where(isFollowed(sql.ref('user_id'), slot))
    .where('id', '>', slot('after'))
    .orderBy('id'),
)

/** `action` is null unless the activity has been restored since and belongs in the feed. */
export interface Deletion {
  readonly id: number
  readonly activity_id: number
  readonly action: string | null
}

export const deletionsAfter = prepared<Deletion, Followed>((read, slot) =>
  read
    .selectFrom('activity_deletions')
    .select(['id', 'activity_id'])
    .select(
      sql<string | null>`(
        select action from activities where activities.id = activity_id
        and ${isFollowed(sql.ref('activities.user_id'), slot)})`.as('action'),
    )
    .where('id', '>', slot('after'))
    .orderBy('id'),
)
