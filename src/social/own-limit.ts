import { sql } from 'kysely'
import type { Tx } from '../db/write'

/** How many rows somebody may write within a time, in milliseconds. */
export interface OwnLimit {
  readonly table: 'comments' | 'reports'
  /** The column with the person. */
  readonly writer: 'user_id' | 'reporter_id'
  readonly most: number
  readonly within: number
}

/**
 * Milliseconds until the first of somebody's last rows is old enough for another; 0 if they may write now. The clock may have been
 * set back since then. Uses comments_user or reports_reporter.
 */
export async function waitBefore(
  tx: Tx,
  { table, writer, most, within }: OwnLimit,
  userId: number,
  at: number,
): Promise<number> {
  const { rows } = await sql<{ created_at: number }>`
    select created_at from ${sql.table(table)} where ${sql.ref(writer)} = ${userId}
    order by created_at desc limit 1 offset ${most - 1}`.execute(tx)
  const [earlier] = rows
  return earlier === undefined ? 0 : Math.min(within, Math.max(0, earlier.created_at + within - at))
}
