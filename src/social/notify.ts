import { type RawBuilder, sql } from 'kysely'
import { preparedSql } from '../db/prepared'
import type { Deps } from '../deps'

/** `about`: the row that it tells of, with which it is deleted. `at`: epoch milliseconds. */
type Telling = { to: number; by: number; about: number; at: number }

/** Tells somebody what another did, unless `isTold` says otherwise. */
export const tellOf = {
  like: telling('like', 'like_id'),
  follow: telling('follow', 'follow_id'),
  follow_request: telling('follow_request', 'request_id'),
  follow_accepted: telling('follow_accepted', 'follow_id'),
}

function telling(kind: string, column: 'like_id' | 'follow_id' | 'request_id') {
  return preparedSql<never, Telling>(
    (slot) => sql`
      insert into notifications (user_id, kind, actor_id, ${sql.ref(column)}, created_at)
      select told.id, ${sql.lit(kind)}, ${slot('by')}, ${slot('about')}, ${slot('at')}
      from users as told where told.id = ${slot('to')} and ${isTold(slot('by'))}`,
  )
}

/** Nobody is told of what they did themselves, or what somebody did whom they muted, or who is blocked either way. */
export const isTold = (by: RawBuilder<number>): RawBuilder<boolean> => sql`(told.id <> ${by}
  and not exists (select 1 from deletions where user_id = told.id)
  and not exists (select 1 from mutes where user_id = told.id and muted_id = ${by})
  and not exists (select 1 from blocks where user_id = told.id and blocked_id = ${by})
  and not exists (select 1 from blocks where user_id = ${by} and blocked_id = told.id))`

/** Tells the administrators, but for whoever is reported or reports it. */
export const tellAdministrators = preparedSql<
  never,
  { report: number; by: number; about: number; at: number }
>(
  (slot) => sql`
    insert into notifications (user_id, kind, report_id, created_at)
    select id, 'report', ${slot('report')}, ${slot('at')} from users
    where is_admin = 1 and disabled_at is null and id not in (${slot('by')}, ${slot('about')})`,
)

const keptMs = 180 * 86_400_000
const mostAtOnce = 200

/** Deletes what was read more than 180 days ago. What is new stays: nobody has seen it. */
export async function sweepNotifications({ write, now }: Pick<Deps, 'write' | 'now'>): Promise<void> {
  const before = now() - keptMs
  for (let deleted = mostAtOnce; deleted === mostAtOnce; )
    deleted = (await write((tx) => dropRead(tx, { before }))).length
}

/** Uses notifications_read. */
const dropRead = preparedSql<{ id: number }, { before: number }>(
  (slot) => sql`
    delete from notifications where id in (
      select id from notifications where read_at is not null and read_at < ${slot('before')}
      limit ${sql.lit(mostAtOnce)})
    returning id`,
)
