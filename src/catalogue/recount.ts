import type { Database } from 'bun:sqlite'
import { type Counter, counters, truthOf } from '../../db/facts/counters'
import { type IdRange, idRanges } from './id-ranges'
import { findRowCountDrift } from './recount-rows'
import { noRest } from './rest'

/** A kept number that is not what counting gives. */
export interface Drift {
  readonly table: string
  readonly column: string
  /** The row's id; list, key and block for `row_counts`. */
  readonly row: number | string
  readonly kept: number
  readonly counted: number
}

/**
 * The counters (D40) and row counts that differ from a recount, at most `limit` of them. It reads in pieces of a few
 * milliseconds, with `rest` between them for a server to begin its log anew. A number and its count are read by one
 * statement, so nothing that is written meanwhile comes between them.
 */
export function findDrift(handle: Database, limit = 100, rest = noRest): readonly Drift[] {
  const found: Drift[] = []
  for (const counter of counters) {
    for (const range of idRanges(handle, counter.table)) {
      found.push(...counterDrift(handle, counter, range, limit - found.length))
      rest()
    }
  }
  return [...found, ...findRowCountDrift(handle, limit - found.length, rest)]
}

/** The rows of a range whose counter differs from a recount. */
export function counterDrift(
  handle: Database,
  counter: Counter,
  { from, to }: IdRange,
  limit: number,
): readonly Drift[] {
  const { table, column } = counter
  const truth = truthOf(counter)
  using statement = handle.prepare<Drift, [string, string, number]>(
    `select ? as "table", ? as "column", id as row, ${column} as kept, ${truth} as counted
     from ${table} where id between ${from} and ${to} and ${column} <> ${truth} order by id limit ?`,
  )
  return statement.all(table, column, limit)
}

/** Sets one counter in a range of rows. A row whose counter changes has its version raised. */
export function setCounter(handle: Database, counter: Counter, range?: IdRange): void {
  const { table, column } = counter
  const where = range === undefined ? 'true' : `id between ${range.from} and ${range.to}`
  handle.run(`
    with found (row, counted) as materialized (select id, ${truthOf(counter)} from ${table} where ${where})
    update ${table} set ${column} = counted, version = version + 1 from found
    where id = found.row and ${column} <> counted`)
}

/**
 * Sets the counters of these tables to what counting gives, for writes too many to be counted one by one. The caller
 * holds the transaction.
 */
export function setCounters(handle: Database, tables: readonly string[]): void {
  for (const counter of counters.filter(({ table }) => tables.includes(table))) setCounter(handle, counter)
}

/** The tables that have counters. */
export const countedTables: readonly string[] = [...new Set(counters.map(({ table }) => table))]
