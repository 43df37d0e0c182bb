import { type Database, SQLiteError, type SQLQueryBindings } from 'bun:sqlite'
import { isObject, parseJson } from '../file/json'
import { type RowChange, TableLayout, type WholeRow } from './merge-log'
import { findMove } from './moves'

/**
 * Undoes what a merge or a split logged, from its end on (D97): rows that moved go back, also those that were edited since; dropped
 * ones come back; of changed ones each column that is still as the merge made it. An entry of the log goes with what it undoes, so
 * that it can be interrupted at each `yield`, of which there is one for each entry. The caller holds the transaction.
 */
export function* takeApart(handle: Database, change: number): Generator<void> {
  const layouts = new Map<string, TableLayout>()
  const layoutOf = (table: string) => {
    const layout = layouts.get(table) ?? new TableLayout(handle, table)
    layouts.set(table, layout)
    return layout
  }
  for (;;) {
    const entry = lastEntry(handle, change)
    if (entry === undefined) return
    const layout = layoutOf(entry.table_name)
    if (entry.column_name === '') restoreRows(handle, layout, entry)
    else moveBack(handle, layout, entry)
    handle.query('delete from catalogue_moves where id = ?').run(entry.id)
    yield
  }
}

interface LoggedMove {
  readonly id: number
  readonly table_name: string
  /** Blank for rows that were changed. */
  readonly column_name: string
  readonly from_id: number
  readonly to_id: number
  readonly keys: string
  readonly rows: string
}

/**
 * The last one; but records go before their episodes, which would move all of them in one statement, and entries of libraries before
 * statuses, which would give new ones.
 */
function lastEntry(handle: Database, change: number): LoggedMove | undefined {
  const select = (where: string) =>
    handle
      .query<LoggedMove, [number]>(
        `select * from catalogue_moves where change_id = ? ${where} order by id desc limit 1`,
      )
      .get(change) ?? undefined
  const last = select('')
  if (last?.table_name === 'statuses') return select("and table_name = 'library_entries'") ?? last
  if (last?.table_name !== 'episodes' || last.column_name !== 'work_id') return last
  return select("and table_name = 'records' and column_name = 'work_id'") ?? last
}

function moveBack(
  handle: Database,
  { table, key }: TableLayout,
  { column_name: column, from_id, to_id, keys }: LoggedMove,
): void {
  const others = key.filter((name) => name !== column)
  const values = others.map((_, at) => `value ->> ${at}`).join(', ')
  const isMoved =
    others.length === 0 ? '?3 = ?3' : `(${others.join(', ')}) in (select ${values} from json_each(?3))`
  const also = findMove(table, column)?.also ?? ''
  const update = `update or ignore ${table} set ${column} = ?1${also} where ${column} = ?2 and ${isMoved}`
  unlessGone(() => handle.query(update).run(from_id, to_id, keys))
}

function restoreRows(handle: Database, layout: TableLayout, { rows }: LoggedMove): void {
  const changes: RowChange[] = JSON.parse(rows)
  for (const [before, after] of changes.toReversed()) {
    if (before === null && after !== null) dropInserted(handle, layout, after)
    else if (before !== null && after === null) insertAgain(handle, layout, before)
    else if (before !== null && after !== null) changeBack(handle, layout, before, after)
  }
}

/** If nobody changed it since. */
function dropInserted(handle: Database, layout: TableLayout, row: WholeRow): void {
  const now = presentRow(handle, layout, row)
  if (now === null || !layout.isSame(row, now)) return
  const { sql, values } = sameRow(layout, row)
  handle.query(`delete from ${layout.table} where ${sql}`).run(...values)
}

/** Unless another row took its place, or what it refers to is gone. */
function insertAgain(handle: Database, layout: TableLayout, row: WholeRow): void {
  const cells = layout.set({ ...row, ...hiddenWithWork(handle, row) })
  const names = cells.map(([name]) => name)
  const slots = cells.map(() => '?').join(', ')
  const version = layout.columns.includes('version') ? [Number(row.version) + 1] : []
  const insert = `insert or ignore into ${layout.table} (${[...names, ...version.map(() => 'version')].join(', ')})
    values (${[slots, ...version.map(() => '?')].join(', ')})`
  unlessGone(() => handle.query(insert).run(...cells.map(([, value]) => value), ...version))
}

/** What refers to a row that was deleted since stays as it is. */
function unlessGone(change: () => void): void {
  try {
    change()
  } catch (cause) {
    if (!(cause instanceof SQLiteError && cause.errno === foreignKeyFault)) throw cause
  }
}

/** SQLITE_CONSTRAINT_FOREIGNKEY */
const foreignKeyFault = 787

/** Rows of a work are hidden with it. */
function hiddenWithWork(handle: Database, { hidden, work_id }: WholeRow): WholeRow {
  if (typeof hidden !== 'number' || typeof work_id !== 'number') return {}
  const [work] = handle
    .query<{ hidden: number }, [number]>('select hidden from works where id = ?')
    .all(work_id)
  return { hidden: (hidden & 1) | ((work?.hidden ?? 0) * 2) }
}

function changeBack(handle: Database, layout: TableLayout, before: WholeRow, after: WholeRow): void {
  const now = presentRow(handle, layout, after)
  if (now === null) {
    // The estimator deletes the episodes of its own that were merged and have no record any more.
    if (layout.table === 'episodes') insertAgain(handle, layout, before)
    return
  }
  const cells = layout.set(before).flatMap(([name, value]): [string, string | number | null][] => {
    const made = after[name] ?? null
    const present = now[name] ?? null
    if (value === made) return []
    if (name === 'owners') return [[name, ownersBack(value, made, present)]]
    if (name === 'hidden') return [[name, (Number(present) & 2) | (Number(value) & 1)]]
    return present === made ? [[name, value]] : []
  })
  if (cells.length === 0) return
  const assignments = [
    ...cells.map(([name]) => `${name} = ?`),
    ...(layout.columns.includes('version') ? ['version = version + 1'] : []),
  ].join(', ')
  const { sql, values } = sameRow(layout, after)
  handle
    .query(`update or ignore ${layout.table} set ${assignments} where ${sql}`)
    .run(...cells.map(([, value]) => value), ...values)
}

/** Of each field whose owner is still the one that the merge gave it, the one before. */
function ownersBack(before: unknown, made: unknown, present: unknown): string {
  const [was, then, now] = [before, made, present].map((text) => parseJson(String(text)))
  const owners = { ...(isObject(now) ? now : {}) }
  if (!isObject(was) || !isObject(then)) return String(present)
  for (const name of new Set([...Object.keys(was), ...Object.keys(then)])) {
    if (was[name] === then[name] || owners[name] !== then[name]) continue
    if (was[name] === undefined) delete owners[name]
    else owners[name] = was[name]
  }
  return JSON.stringify(owners)
}

function presentRow(handle: Database, layout: TableLayout, row: WholeRow): WholeRow | null {
  const { sql, values } = sameRow(layout, row)
  return handle
    .query<WholeRow, SQLQueryBindings[]>(`select * from ${layout.table} where ${sql}`)
    .get(...values)
}

const sameRow = ({ key }: TableLayout, row: WholeRow) => ({
  sql: key.map((name) => `${name} = ?`).join(' and '),
  values: key.map((name) => row[name] ?? null),
})
