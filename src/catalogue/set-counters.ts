import type { Database } from 'bun:sqlite'
import { counters, totals } from './recount'
import { countedRanks } from './recount-ranks'

/** Sets every counter, total and rank to what counting gives. The caller has begun a transaction. */
export function recount(handle: Database): void {
  // Triggers move what is counted by likes from cell to cell, which wrong cells would not bear.
  handle.run('delete from ranks')
  setCounters(handle, countedTables)
  setRanks(handle)
}

/**
 * Sets the counters of these tables to what counting gives, for writes too many to be counted one by one. A row whose
 * counter changes has its version raised. The caller holds the transaction.
 */
export function setCounters(handle: Database, tables: readonly string[]): void {
  for (const { table, column, truth } of counters.filter((counter) => tables.includes(counter.table))) {
    handle.run(`
      with found (row, counted) as materialized (select id, ${truth} from ${table})
      update ${table} set ${column} = counted, version = version + 1 from found
      where id = row and ${column} <> counted`)
  }
}

/** The tables that have counters. */
export const countedTables: readonly string[] = [...new Set(counters.map(({ table }) => table))]

/** The same for the totals and ranks of the lists. */
export function setRanks(handle: Database): void {
  for (const [name, truth] of Object.entries(totals)) {
    handle.run(`update totals set n = ${truth} where name = ?`, [name])
  }
  handle.run('delete from ranks')
  handle.run(`insert into ranks (list, key, block, n) ${countedRanks}`)
}
