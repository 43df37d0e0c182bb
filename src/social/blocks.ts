import { sql } from 'kysely'
import type { Tx } from '../db/write'
import { invalidParams } from '../http/errors'
import type { UserPair } from './user-lookup'

/** Of one person. */
export const mostBlocks = 1000

/** How long the undo of a block restores what it ended, in milliseconds. */
const undoMs = 600_000

/**
 * From this commit on neither sees anything of the other (D78). Follows and requests between the two end. Idempotent; tells
 * nobody. Throws invalid_params for too many.
 */
export async function addBlock(tx: Tx, pair: UserPair): Promise<void> {
  const { user, other, now } = pair
  const { rows: made } = await sql`
    insert into blocks (user_id, blocked_id, created_at, ended)
    values (${user}, ${other}, ${now}, json_object('follows', ${rowsBetween(pair, 'follows')},
      'follow_requests', ${rowsBetween(pair, 'follow_requests')}))
    on conflict do nothing returning 1`.execute(tx)
  if (made.length === 0) return
  for (const table of ['follows', 'follow_requests'] as const)
    await sql`delete from ${sql.table(table)} where ${isBetween(pair)}`.execute(tx)
  const { rows } = await sql`select 1 from blocks where user_id = ${user} limit ${mostBlocks + 1}`.execute(tx)
  if (rows.length > mostBlocks)
    throw invalidParams(`username must be of one of at most ${mostBlocks} users whom the caller blocks.`)
}

/** Idempotent. What the block ended stays so. */
export const removeBlock = async (tx: Tx, { user, other }: UserPair): Promise<void> => {
  await tx.deleteFrom('blocks').where('user_id', '=', user).where('blocked_id', '=', other).execute()
}

/** The same for a block of the last minutes, but what it ended is as before, unless the other side has a block too. */
export async function undoBlock(tx: Tx, pair: UserPair): Promise<void> {
  const { user, other, now } = pair
  const { rows } = await sql<{ ended: string | null }>`
    delete from blocks where user_id = ${user} and blocked_id = ${other}
    returning iif(created_at > ${now - undoMs}, ended, null) as ended`.execute(tx)
  const ended = rows[0]?.ended ?? null
  if (ended === null || (await areApart(tx, pair))) return
  await sql`
    insert or ignore into follows (follower_id, followed_id, created_at)
    select value ->> 0, value ->> 1, value ->> 2 from json_each(${ended}, '$.follows')`.execute(tx)
  await sql`
    insert or ignore into follow_requests (follower_id, followed_id, created_at, declined_at)
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(${ended}, '$.follow_requests')`.execute(
    tx,
  )
}

/** Whether one of the two has blocked the other. */
export async function areApart(tx: Tx, { user, other }: Pick<UserPair, 'user' | 'other'>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from blocks where user_id = ${user} and blocked_id = ${other}
    union all select 1 from blocks where user_id = ${other} and blocked_id = ${user}`.execute(tx)
  return rows.length > 0
}

const isBetween = ({ user, other }: UserPair) =>
  sql`((follower_id = ${user} and followed_id = ${other}) or (follower_id = ${other} and followed_id = ${user}))`

const rowsBetween = (pair: UserPair, table: 'follows' | 'follow_requests') =>
  sql`json((select json_group_array(json_array(follower_id, followed_id, created_at${
    table === 'follows' ? sql`` : sql`, declined_at`
  })) from ${sql.table(table)} where ${isBetween(pair)}))`
