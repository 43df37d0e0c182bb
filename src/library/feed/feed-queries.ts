import { type RawBuilder, sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'

/** What a cached feed depends on: its owner's follows and mutes, the last activity and the last deletion. */
export const readFeedKey = prepared<
  { followed: number; last_id: number; last_deletion: number },
  { viewer: number }
>((read, slot) =>
  read.selectNoFrom([
    sql<number>`(select feed_version from users where users.id = ${slot('viewer')})`.as('followed'),
    sql<number>`ifnull((select max(id) from activities), 0)`.as('last_id'),
    sql<number>`ifnull((select max(id) from activity_deletions), 0)`.as('last_deletion'),
  ]),
)

type Followed = { viewer: number; muted: number; after: number }

const isFollowed = (user: RawBuilder<unknown>, slot: SlotOf<Followed>) => sql<boolean>`${user} in (
  select followed_id from follows where follower_id = ${slot('viewer')}
  and (${slot('muted')} = 0 or followed_id not in (select muted_id from mutes where user_id = ${slot('viewer')})))`

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
