import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/write'

const kindsByTable = {
  works: 'work',
  episodes: 'episode',
  series: 'series',
  characters: 'character',
  people: 'person',
  organizations: 'organization',
  casts: 'cast',
  staffs: 'staff',
  channels: 'channel',
  programs: 'program',
} as const

export type MergeableTable = keyof typeof kindsByTable

export const isMergeable = (table: string): table is MergeableTable => table in kindsByTable

/** SQL for the id of the row that an id was merged into, or else the id itself (D67). */
export function survivor(table: MergeableTable, id: RawBuilder<unknown>): RawBuilder<number> {
  const kind = sql.lit(kindsByTable[table])
  return sql<number>`ifnull((select to_id from redirects where kind = ${kind} and from_id = ${id}), ${id})`
}

/** The same for ids bound as JSON, as a subquery; skips the look-ups if nothing was ever merged. */
export function survivors(table: MergeableTable, ids: RawBuilder<string>): RawBuilder<number> {
  const kind = sql.lit(kindsByTable[table])
  const any = sql`exists (select 1 from redirects where kind = ${kind})`
  return sql<number>`(
    select iif(${any}, ${survivor(table, sql.ref<number>('value'))}, value) from json_each(${ids}))`
}

/** Hidden rows too; undefined if there is none. */
export async function findSurvivor(
  tx: Tx,
  table: MergeableTable,
  id: number,
): Promise<{ id: number; hidden: number } | undefined> {
  return await tx
    .selectFrom(table)
    .select(['id', 'hidden'])
    .where('id', '=', survivor(table, sql.val(id)))
    .executeTakeFirst()
}
