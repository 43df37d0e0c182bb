import type { Database } from 'bun:sqlite'
import { counters, truthOf } from '../../../db/facts/counters'
import { withheld, withheldTruth } from '../../../db/facts/withheld'
import type { Drift } from './drift'
import { type IdRange, idRanges } from './id-ranges'
import { findRowCountDrift } from './recount-rows'
import { noRest } from './rest'

/** A column that triggers keep. */
export interface KeptColumn {
  readonly table: string
  readonly column: string
  /** What it should be, as SQL about a row of the table. */
  readonly truth: string
}

const counterColumns: readonly KeptColumn[] = counters.map((counter) => ({
  table: counter.table,
  column: counter.column,
  truth: truthOf(counter),
}))

export const keptColumns: readonly KeptColumn[] = [
  ...counterColumns,
  ...withheld.map((rows) => ({ table: rows.table, column: 'withheld', truth: withheldTruth(rows) })),
]

/**
 * The counters (D40) and row counts that differ from a recount, at most `limit` of them. It reads in pieces of a few
 * milliseconds, with `rest` between them for a server to begin its log anew. A number and its count are read by one
 * statement, so nothing that is written meanwhile comes between them.
 */
export function findDrift(handle: Database, limit = 100, rest = noRest): readonly Drift[] {
  const found: Drift[] = []
  for (const kept of keptColumns) {
    for (const range of idRanges(handle, kept.table)) {
      found.push(...columnDrift(handle, kept, range, limit - found.length))
      rest()
    }
  }
  return [...found, ...findRowCountDrift(handle, limit - found.length, rest)]
}

/** The rows of a range whose column differs from a recount. */
export function columnDrift(
  handle: Database,
  { table, column, truth }: KeptColumn,
  { from, to }: IdRange,
  limit: number,
): readonly Drift[] {
  using statement = handle.prepare<Drift, [string, string, number]>(
    `select ? as "table", ? as "column", id as row, ${column} as kept, ${truth} as counted
     from ${table} where id between ${from} and ${to} and ${column} <> ${truth} order by id limit ?`,
  )
  return statement.all(table, column, limit)
}

/** Sets one column in a range of rows. A row whose column changes has its version raised. */
export function setColumn(handle: Database, { table, column, truth }: KeptColumn, range?: IdRange): void {
  const where = range === undefined ? 'true' : `id between ${range.from} and ${range.to}`
  handle.run(`
    with found (row, counted) as materialized (select id, ${truth} from ${table} where ${where})
    update ${table} set ${column} = counted, version = version + 1 from found
    where id = found.row and ${column} <> counted`)
}

/**
 * Sets the counters of these tables to what counting gives, for writes too many to be counted one by one. The caller
 * holds the transaction.
 */
export function setCounters(handle: Database, tables: readonly string[]): void {
  for (const counter of counterColumns.filter(({ table }) => tables.includes(table)))
    setColumn(handle, counter)
}

/** The tables that have counters. */
export const countedTables: readonly string[] = [...new Set(counters.map(({ table }) => table))]
