import { sql } from 'kysely'
import type { Tx } from '../db/write'
import { invalidParams } from '../http/errors'
import { endBetween, mostBlocks } from '../library/undo/comebacks'
import type { UserPair } from './user-lookup'

/**
 * From this commit on neither sees anything of the other (D78). Follows and requests between the two end. Idempotent; tells
 * nobody. Throws invalid_params for too many.
 */
export async function addBlock(tx: Tx, { user, other, now }: UserPair): Promise<void> {
  const { rows: made } = await sql`
    insert into blocks (user_id, blocked_id, created_at) values (${user}, ${other}, ${now})
    on conflict do nothing returning 1`.execute(tx)
  if (made.length === 0) return
  await endBetween(tx, user, other)
  const { rows } = await sql`select 1 from blocks where user_id = ${user} limit ${mostBlocks + 1}`.execute(tx)
  if (rows.length > mostBlocks)
    throw invalidParams(`username must be of one of at most ${mostBlocks} users whom the caller blocks.`)
}

/** Idempotent. What the block ended stays so. */
export const removeBlock = async (tx: Tx, { user, other }: UserPair): Promise<void> => {
  await tx.deleteFrom('blocks').where('user_id', '=', user).where('blocked_id', '=', other).execute()
}

/** Whether one of the two has blocked the other. */
export async function areApart(tx: Tx, { user, other }: Pick<UserPair, 'user' | 'other'>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from blocks where user_id = ${user} and blocked_id = ${other}
    union all select 1 from blocks where user_id = ${other} and blocked_id = ${user}`.execute(tx)
  return rows.length > 0
}
