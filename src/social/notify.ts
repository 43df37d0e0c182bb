import { type RawBuilder, sql } from 'kysely'
import { preparedSql } from '../db/prepared'

type Notification = {
  to: number
  by: number
  kind: 'like' | 'follow'
  likeId: number | null
  followId: number | null
  at: number
}

/** Tells somebody what another did, unless `isTold` says otherwise. `at`: epoch milliseconds. */
export const notify = preparedSql<never, Notification>(
  (slot) => sql`
    insert into notifications (user_id, kind, actor_id, like_id, follow_id, created_at)
    select told.id, ${slot('kind')}, ${slot('by')}, ${slot('likeId')}, ${slot('followId')}, ${slot('at')}
    from users as told where told.id = ${slot('to')} and ${isTold(slot('by'))}`,
)

/** Nobody is told of what they did themselves, or what somebody did whom they muted, or who is blocked either way. */
export const isTold = (by: RawBuilder<number>): RawBuilder<boolean> => sql`(told.id <> ${by}
  and not exists (select 1 from deletions where user_id = told.id)
  and not exists (select 1 from mutes where user_id = told.id and muted_id = ${by})
  and not exists (select 1 from blocks where user_id = told.id and blocked_id = ${by})
  and not exists (select 1 from blocks where user_id = ${by} and blocked_id = told.id))`
