import { sql } from 'kysely'
import { prepared } from '../db/prepared'

/** What a feed depends on, as it is: whom its owner follows and mutes, the last activity and the last deletion. */
export const present = prepared<
  { followed: number; last_id: number; last_deletion: number },
  { viewer: number }
>((read, slot) =>
  read.selectNoFrom([
    sql<number>`(select feed_version from users where users.id = ${slot('viewer')})`.as('followed'),
    sql<number>`ifnull((select max(id) from activities), 0)`.as('last_id'),
    sql<number>`ifnull((select max(id) from activity_deletions), 0)`.as('last_deletion'),
  ]),
)

/** Activities of the followed users after one. Uses activities_user, once per followed user. */
export const since = prepared<
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

/** What was deleted after a deletion. */
export const deletions = prepared<{ id: number; activity_id: number }, { after: number }>((read, slot) =>
  read
    .selectFrom('activity_deletions')
    .select(['id', 'activity_id'])
    .where('id', '>', slot('after'))
    .orderBy('id'),
)
