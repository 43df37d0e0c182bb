import { sql } from 'kysely'
import { prepared } from '../db/prepared'

/** The cache key of a feed: follows and mutes of its owner, the last activity and the last deletion. */
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

/** Uses activities_user, once per followed user. */
export const activitiesAfter = prepared<
  { id: number; action: string },
  { viewer: number; muted: number; after: number }
>((read, slot) =>
  read
    .selectFrom('activities')
    .select(['id', 'action'])
    .where(
      'user_id',
      'in',
      sql<number>`(
        select followed_id from follows where follower_id = ${slot('viewer')}
        and (${slot('muted')} = 0 or followed_id not in (select muted_id from mutes where user_id = ${slot('viewer')})))`,
    )
    .where('id', '>', slot('after'))
    .orderBy('id'),
)

export const deletionsAfter = prepared<{ id: number; activity_id: number }, { after: number }>((read, slot) =>
  read
    .selectFrom('activity_deletions')
    .select(['id', 'activity_id'])
    .where('id', '>', slot('after'))
    .orderBy('id'),
)
