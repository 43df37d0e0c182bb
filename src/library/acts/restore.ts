import { sql } from 'kysely'
import { findSurvivor, isMergeable } from '../../catalogue/survivors'
import type { Tx } from '../../db/write'
import type { UndoProblem } from './act'
import { type Change, findRow, isKey, type Key, type TableRow } from './change-log'
import {
  type Cell,
  counterColumns,
  isSameRow,
  ownColumns,
  type Row,
  type TableName,
  undoableTables,
} from './undoable-tables'

type CheckedChange = Exclude<Change, { readonly did: 'add' }>

interface UndoFailure {
  readonly problem: UndoProblem
  readonly change: CheckedChange
}

interface UndoCheck {
  readonly failure: UndoFailure | undefined
  /** Inserted rows that are deleted already, while others are still there. */
  readonly gone: readonly CheckedChange[]
}

/** Whether undoing the changes would lose anything that changed since. */
export async function checkUndo(tx: Tx, changes: readonly Change[]): Promise<UndoCheck> {
  const gone: CheckedChange[] = []
  let deletable = 0
  for (const change of changes) {
    if (change.did === 'add') continue
    const problem = await problemOfOne(tx, change)
    if (problem !== undefined && problem !== 'gone') return { failure: { problem, change }, gone }
    if (change.did !== 'insert') continue
    if (problem === 'gone') gone.push(change)
    else deletable += 1
  }
  const [first] = deletable === 0 ? gone : []
  return { failure: first && { problem: 'changed', change: first }, gone }
}

/** Undoes them last to first. Check `checkUndo` before. */
export async function undoChanges(tx: Tx, changes: readonly Change[]): Promise<void> {
  for (const change of changes.toReversed()) await undoOne(tx, change)
}

async function problemOfOne(tx: Tx, change: CheckedChange): Promise<UndoProblem | 'gone' | undefined> {
  const { table } = change
  const key = await presentKey(tx, table, change.key)
  const row = await findRow(tx, table, key)
  switch (change.did) {
    case 'insert':
      if (row === undefined) return change.after === undefined ? 'gone' : 'changed'
      if (change.after !== undefined && !isSameRow(table, row, change.after)) return 'changed'
      return (await isUsed(tx, table, key)) ? 'used' : undefined
    case 'update':
      return row !== undefined && isSameRow(table, row, change.after) ? undefined : 'changed'
    case 'delete':
      return row === undefined && (await canRefer(tx, change.rows[0])) ? undefined : 'changed'
  }
}

async function isUsed(tx: Tx, table: TableName, key: Key): Promise<boolean> {
  const { key: columns, isUsed } = undoableTables[table]
  if (isUsed === undefined) return false
  const { rows } = await sql`
    select 1 from ${sql.table(table)} as row where ${isKey(columns, key)} and (${isUsed})`.execute(tx)
  return rows.length > 0
}

async function canRefer(tx: Tx, deleted: TableRow | undefined): Promise<boolean> {
  return deleted !== undefined && (await referring(tx, deleted)) !== undefined
}

async function undoOne(tx: Tx, change: Change): Promise<void> {
  const { table } = change
  const key = await presentKey(tx, table, change.key)
  const where = isKey(undoableTables[table].key, key)
  switch (change.did) {
    case 'insert':
      await sql`delete from ${sql.table(table)} where ${where}`.execute(tx)
      return
    case 'add':
      if (!(await isUsed(tx, table, key)))
        await sql`delete from ${sql.table(table)} where ${where}`.execute(tx)
      return
    case 'update':
      await sql`update ${sql.table(table)} set ${await assignments(tx, table, change.before)} where ${where}`.execute(
        tx,
      )
      return
    case 'delete':
      for (const deleted of change.rows) await insertAgain(tx, deleted)
  }
}

async function assignments(tx: Tx, table: TableName, before: Row) {
  const own = ownColumns(table, before)
  const columns = (await writableColumns(tx, table)).filter((column) => column in own)
  return sql.join(columns.map((column) => sql`${sql.ref(column)} = ${own[column] ?? null}`))
}

/** Triggers recount what was deleted with the row. Its new version is one that no cached rendering has. */
async function insertAgain(tx: Tx, deleted: TableRow): Promise<void> {
  const { table } = deleted
  const row = await referring(tx, deleted)
  if (row === undefined) return
  const { key } = undoableTables[table]
  if (
    (await findRow(
      tx,
      table,
      key.map((column) => row[column] ?? null),
    )) !== undefined
  )
    return
  const counted = counterColumns(table)
  const columns = (await writableColumns(tx, table)).filter((column) => column in row && !counted.has(column))
  const cells = columns.map((column) =>
    column === 'version' ? Number(row.version) + 1 : (row[column] ?? null),
  )
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values (${sql.join(cells)})`.execute(tx)
  // Cached feeds had dropped the activity.
  if (table === 'activities')
    await sql`insert into activity_deletions (activity_id) values (${row.id ?? null})`.execute(tx)
}

/** A deleted row that refers to the current rows (D67); undefined if one no longer exists. */
async function referring(tx: Tx, { table, row }: TableRow): Promise<Row | undefined> {
  const refers: Record<string, Cell> = {}
  for (const [column, to] of Object.entries(undoableTables[table].refers)) {
    const id = row[column] ?? null
    if (id === null) continue
    const present = await presentId(tx, to, Number(id))
    if (present === undefined) return undefined
    refers[column] = present
  }
  return { ...row, ...refers }
}

async function presentKey(tx: Tx, table: TableName, key: Key): Promise<Key> {
  const { key: columns, refers } = undoableTables[table]
  const present: Cell[] = []
  for (const [at, column] of columns.entries()) {
    const to = refers[column]
    const id = key[at] ?? null
    present.push(to !== undefined && isMergeable(to) ? ((await presentId(tx, to, Number(id))) ?? id) : id)
  }
  return present
}

/** Deleted accounts get back neither likes nor notifications. */
async function presentId(tx: Tx, table: string, id: number): Promise<number | undefined> {
  if (isMergeable(table)) return (await findSurvivor(tx, table, id))?.id
  const stays = table === 'users' ? sql`id not in (select user_id from deletions)` : sql`true`
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where id = ${id} and ${stays}`.execute(tx)
  return rows[0]?.id
}

/** Without the generated columns. */
async function writableColumns(tx: Tx, table: TableName): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(tx)
  return rows.map(({ name }) => name)
}
