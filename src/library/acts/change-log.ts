import { sql } from 'kysely'
import type { Tx } from '../../db/write'
import { type Cell, isSameRow, type Row, type TableName, undoableTables } from './undoable-tables'

export type Key = readonly Cell[]

/** A row that an act inserted, updated or deleted, as stored in the column `before` of `acts`. */
export type Change =
  | { readonly did: 'insert'; readonly table: TableName; readonly key: Key; readonly after?: Row }
  /** Inserted for the other changes: undo deletes the row unless it is used, and never refuses because of it. */
  | { readonly did: 'add'; readonly table: TableName; readonly key: Key }
  | {
      readonly did: 'update'
      readonly table: TableName
      readonly key: Key
      readonly before: Row
      readonly after: Row
    }
  | {
      readonly did: 'delete'
      readonly table: TableName
      readonly key: Key
      readonly rows: readonly TableRow[]
    }

/** The deleted row comes first, then the rows deleted with it; each comes after those it refers to. */
export interface TableRow {
  readonly table: TableName
  readonly row: Row
}

export interface ChangeLog {
  inserted(table: TableName, ...key: Key): Promise<void>
  /** A row that others may use from now on. */
  added(table: TableName, ...key: Key): void
  /** Runs a change that deletes no other rows. */
  changed<T>(table: TableName, key: Key, change: () => Promise<T>): Promise<T>
  /** Call this before deleting the row. */
  deleting(table: TableName, ...key: Key): Promise<void>
}

export const changeLog = (tx: Tx, changes: Change[]): ChangeLog => ({
  inserted: async (table, ...key) => {
    const isCompared = undoableTables[table].staysIfChanged === true
    const after = isCompared ? await findRow(tx, table, key) : undefined
    changes.push({ did: 'insert', table, key, ...(after && { after }) })
  },
  added: (table, ...key) => {
    changes.push({ did: 'add', table, key })
  },
  changed: async (table, key, change) => {
    const before = await findRow(tx, table, key)
    const result = await change()
    changes.push(...differenceOf(table, key, before, await findRow(tx, table, key)))
    return result
  },
  deleting: async (table, ...key) => {
    const row = await findRow(tx, table, key)
    if (row === undefined) return
    changes.push({
      did: 'delete',
      table,
      key,
      rows: [{ table, row }, ...(await fallingWith(tx, table, row))],
    })
  },
})

function differenceOf(table: TableName, key: Key, before: Row | undefined, after: Row | undefined): Change[] {
  if (before === undefined) return after === undefined ? [] : [{ did: 'insert', table, key, after }]
  if (after === undefined) return [{ did: 'delete', table, key, rows: [{ table, row: before }] }]
  return isSameRow(table, before, after) ? [] : [{ did: 'update', table, key, before, after }]
}

async function fallingWith(tx: Tx, table: TableName, parent: Row): Promise<readonly TableRow[]> {
  const fallen: TableRow[] = []
  for (const [child, column] of fallsOf(table)) {
    const rows = await findRows(tx, child, [column], [parent.id ?? null])
    for (const row of rows) {
      // An activity about several records is deleted with the last of them (0007_library.sql).
      if (child === 'activity_records' && table === 'records') {
        const activity = await findRow(tx, 'activities', [row.activity_id ?? null])
        if (activity !== undefined) fallen.push({ table: 'activities', row: activity })
      }
      fallen.push({ table: child, row }, ...(await fallingWith(tx, child, row)))
    }
  }
  return fallen
}

const tableNames: ReadonlySet<string> = new Set(Object.keys(undoableTables))
const isTableName = (name: string): name is TableName => tableNames.has(name)

const fallsOf = (table: TableName): [TableName, string][] =>
  Object.entries(undoableTables[table].falls ?? {}).flatMap(([child, column]) =>
    isTableName(child) ? [[child, column]] : [],
  )

/** All columns, including generated ones. */
export async function findRow(tx: Tx, table: TableName, key: Key): Promise<Row | undefined> {
  const [row] = await findRows(tx, table, undoableTables[table].key, key)
  return row
}

async function findRows(
  tx: Tx,
  table: TableName,
  columns: readonly string[],
  cells: Key,
): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where ${isKey(columns, cells)}`.execute(
    tx,
  )
  return rows
}

export const isKey = (columns: readonly string[], cells: Key) =>
  sql.join(
    columns.map((column, at) => sql`${sql.ref(column)} = ${cells[at] ?? null}`),
    sql` and `,
  )
