import { type RawBuilder, sql } from 'kysely'
import type { DB } from './schema'
import type { Tx } from './write'

/** Of the rows that match the condition `owned`, keeps the first `most` by `order`. */
export async function deleteAllBut(
  tx: Tx,
  table: keyof DB,
  { owned, order, most }: { owned: RawBuilder<unknown>; order: RawBuilder<unknown>; most: number },
): Promise<void> {
  const rows = sql.table(table)
  await sql`delete from ${rows} where ${owned}
    and id not in (select id from ${rows} where ${owned} order by ${order} limit ${most})`.execute(tx)
}
