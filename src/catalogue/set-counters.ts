import type { Database } from 'bun:sqlite'
import type { IdRange } from './id-ranges'
import { type Counter, counters, totals } from './recount'
import { rankSlices, setSlice } from './recount-ranks'

/**
 * Sets the counters of these tables to what counting gives, for writes too many to be counted one by one. A row whose
 * counter changes has its version raised. The caller holds the transaction.
 */
export function setCounters(handle: Database, tables: readonly string[]): void {
  for (const counter of counters.filter(({ table }) => tables.includes(table))) setCounter(handle, counter)
}

/** Sets one counter in a range of rows. */
export function setCounter(handle: Database, { table, column, truth }: Counter, range?: IdRange): void {
  const where = range === undefined ? 'true' : `id between ${range.from} and ${range.to}`
  handle.run(`
    with found (row, counted) as materialized (select id, ${truth} from ${table} where ${where})
    update ${table} set ${column} = counted, version = version + 1 from found
    where id = row and ${column} <> counted`)
}

/** Sets one total. */
export function setTotal(handle: Database, name: string): void {
  handle.run(`update totals set n = ${totals[name] ?? '0'} where name = ?`, [name])
}

/** The tables that have counters. */
export const countedTables: readonly string[] = [...new Set(counters.map(({ table }) => table))]

/** The same for the totals and ranks of the lists. */
export function setRanks(handle: Database): void {
  for (const name of Object.keys(totals)) setTotal(handle, name)
  handle.run('delete from ranks')
  for (const slice of rankSlices(handle)) setSlice(handle, slice)
}
