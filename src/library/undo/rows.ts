import { type RawBuilder, sql } from 'kysely'
import { findSurvivor, isMergeable } from '../../catalogue/survivors'
import { preparedSql, type SlotOf } from '../../db/prepared'
import type { Tx } from '../../db/write'
import {
  fallsOf,
  isUndoable,
  keptByTriggers,
  ownColumns,
  type RowColumns,
  type UndoableName,
  undoableTables,
} from './undoable-tables'

/** A row of a user: its `id`, or its work where a user has one row for each. */
export type RowKey = { user: number; id: number }

export type LoggedRow = readonly [table: UndoableName, row: RowColumns]

/** Statements that are compiled once for each table. */
export function byTable<R, V extends RowKey>(build: (table: UndoableName, slot: SlotOf<V>) => RawBuilder<R>) {
  const made = new Map<UndoableName, ReturnType<typeof preparedSql<R, V>>>()
  return (tx: Tx, table: UndoableName, values: V): Promise<readonly R[]> => {
    const run = made.get(table) ?? preparedSql<R, V>((slot) => build(table, slot))
    made.set(table, run)
    return run(tx, values)
  }
}

export const isKeyOf = (table: UndoableName, slot: SlotOf<RowKey>): RawBuilder<unknown> =>
  sql.join(
    undoableTables[table].key.map(
      (column) => sql`${sql.ref(column)} = ${column === 'user_id' ? slot('user') : slot('id')}`,
    ),
    sql` and `,
  )

const rowByKey = byTable<RowColumns, RowKey>(
  (table, slot) => sql`select * from ${sql.table(table)} where ${isKeyOf(table, slot)}`,
)

/** All columns, including generated ones. */
export const findRow = async (tx: Tx, table: UndoableName, key: RowKey): Promise<RowColumns | undefined> =>
  (await rowByKey(tx, table, key))[0]

export const deleteRow = byTable<never, RowKey>(
  (table, slot) => sql`delete from ${sql.table(table)} where ${isKeyOf(table, slot)}`,
)

/** What is deleted with a row, each after those it refers to. */
export async function fallingWith(
  tx: Tx,
  table: UndoableName,
  parent: RowColumns,
): Promise<readonly LoggedRow[]> {
  const fallen: LoggedRow[] = []
  for (const [child, column] of fallsOf(table)) {
    for (const row of await rowsWhere(tx, child, { [column]: parent.id ?? null })) {
      // An activity about several records is deleted with the last of them (0007_library.sql).
      if (child === 'activity_records' && table === 'records')
        for (const activity of await rowsWhere(tx, 'activities', { id: row.activity_id ?? null }))
          fallen.push(['activities', activity])
      fallen.push([child, row], ...(await fallingWith(tx, child, row)))
    }
  }
  return fallen
}

async function rowsWhere(tx: Tx, table: UndoableName, cells: RowColumns): Promise<readonly RowColumns[]> {
  const conditions = Object.entries(cells).map(([column, cell]) => sql`${sql.ref(column)} = ${cell}`)
  const { rows } = await sql<RowColumns>`
    select * from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`.execute(tx)
  return rows
}

/** Sets the columns that a change was about to what they were. */
export async function setRow(tx: Tx, table: UndoableName, key: RowKey, before: RowColumns): Promise<void> {
  const own = ownColumns(table, before)
  const columns = (await writableColumns(tx, table)).filter((column) => column in own)
  const cells = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${own[column] ?? null}`))
  const where = isKeyOf(table, (name) => sql`${key[name]}`)
  await sql`update ${sql.table(table)} set ${cells} where ${where}`.execute(tx)
}

/**
 * Inserts a deleted row and what was deleted with it, as far as what they refer to still exists. gone: what the row itself
 * refers to does not. there: another row stands in its place.
 */
export async function insertAgain(tx: Tx, rows: readonly LoggedRow[]): Promise<'done' | 'gone' | 'there'> {
  for (const [at, [table, stored]] of rows.entries()) {
    const row = await referring(tx, table, stored)
    const isInserted = row !== undefined && (await insertOne(tx, table, row))
    if (at === 0 && !isInserted) return row === undefined ? 'gone' : 'there'
  }
  return 'done'
}

/**
 * Triggers count what was deleted with the row, and who may see it, anew. What a moderator hid stays hidden, unless that was
 * undone meanwhile. Its new version is one that no cached rendering has.
 */
async function insertOne(tx: Tx, table: UndoableName, row: RowColumns): Promise<boolean> {
  if (await isThere(tx, table, row)) return false
  const kept = keptByTriggers(table)
  const columns = (await writableColumns(tx, table)).filter((column) => column in row && !kept.has(column))
  const now: RowColumns = {
    ...row,
    version: Number(row.version) + 1,
    hidden_by: await hiderOf(tx, table, row),
  }
  const cells = columns.map((column) => now[column] ?? null)
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values (${sql.join(cells)})`.execute(tx)
  // Cached feeds had dropped the activity.
  if (table === 'activities')
    await sql`insert into activity_deletions (activity_id) values (${row.id ?? null})`.execute(tx)
  return true
}

/** The row itself, or another in its place. */
async function isThere(tx: Tx, table: UndoableName, row: RowColumns): Promise<boolean> {
  const { key, once } = undoableTables[table]
  for (const columns of once === undefined ? [key] : [key, once]) {
    const cells = Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
    if ((await rowsWhere(tx, table, cells)).length > 0) return true
  }
  return false
}

const moderatedBy = { records: 'record_id', reviews: 'review_id', comments: 'comment_id' } as const

/** The administrator who hid it and has not undone that (`moderations`); null without one. */
async function hiderOf(tx: Tx, table: UndoableName, row: RowColumns): Promise<number | null> {
  if (table !== 'records' && table !== 'reviews' && table !== 'comments') return null
  const hidden = await tx
    .selectFrom('moderations')
    .select('moderator_id')
    .where(moderatedBy[table], '=', Number(row.id))
    .where('undone_at', 'is', null)
    .executeTakeFirst()
  return hidden?.moderator_id ?? null
}

/** A deleted row that refers to the current rows (D67); undefined if one no longer exists. */
async function referring(tx: Tx, table: UndoableName, row: RowColumns): Promise<RowColumns | undefined> {
  const refers: Record<string, number> = {}
  for (const [column, to] of Object.entries(undoableTables[table].refers)) {
    const id = row[column] ?? null
    if (id === null) continue
    const present = await presentId(tx, to, Number(id))
    if (present === undefined) return undefined
    refers[column] = present
  }
  return { ...row, ...refers }
}

/** Deleted accounts get back neither likes nor notifications. */
async function presentId(tx: Tx, table: string, id: number): Promise<number | undefined> {
  if (isMergeable(table)) return (await findSurvivor(tx, table, id))?.id
  const stays = table === 'users' ? sql`id not in (select user_id from deletions)` : sql`true`
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where id = ${id} and ${stays}`.execute(tx)
  return rows[0]?.id
}

/** The row that a key names today: what belonged to a merged work belongs to its survivor (D67). */
export async function presentKey(tx: Tx, table: UndoableName, { user, id }: RowKey): Promise<RowKey> {
  const column = undoableTables[table].key.at(-1) ?? ''
  const to = undoableTables[table].refers[column] ?? ''
  if (!isMergeable(to)) return { user, id }
  return { user, id: (await findSurvivor(tx, to, id))?.id ?? id }
}

/** Without the generated columns. */
async function writableColumns(tx: Tx, table: UndoableName): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(tx)
  return rows.map(({ name }) => name)
}

/** Of JSON that this room wrote. Rows of tables that this version does not know are left out. */
export const loggedRows = (text: string | null): readonly LoggedRow[] => {
  const rows: readonly (readonly [string, RowColumns])[] = JSON.parse(text ?? '[]')
  return rows.flatMap(([table, row]) => (isUndoable(table) ? [[table, row] as const] : []))
}
