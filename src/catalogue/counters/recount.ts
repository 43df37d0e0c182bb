import type { Database } from 'bun:sqlite'
import { counters, truthOf } from '../../../db/facts/counters'
import { versioned } from '../../../db/facts/versions'
import { audiences, levelTruth, withheld, withheldTruth } from '../../../db/facts/withheld'
import { type IdRange, idRanges } from './id-ranges'
import { noRest } from './rest'

export interface Drift {
  readonly table: string
  readonly column: string
  /** The row's id. */
  readonly row: number
  readonly kept: number
  readonly counted: number
}

export interface KeptColumn {
  readonly table: string
  readonly column: string
  /** The correct value, as SQL about a row of the table. */
  readonly truth: string
  /** An indexed column by which the rows are gone through, if not their id. */
  readonly key?: string
}

const counterColumns: readonly KeptColumn[] = counters.map((counter) => ({
  table: counter.table,
  column: counter.column,
  truth: truthOf(counter),
}))

export const keptColumns: readonly KeptColumn[] = [
  ...counterColumns,
  ...withheld.map((rows) => ({ table: rows.table, column: 'withheld', truth: withheldTruth(rows) })),
  ...audiences.map((audience) => ({
    table: audience.table,
    column: 'withheld',
    truth: levelTruth(audience),
    // One row for each user and work.
    ...(audience.table === 'statuses' && { key: 'user_id' }),
  })),
  ...audiences
    .filter(({ isListed }) => isListed)
    .map(({ table }) => ({
      table: 'withheld_rows',
      column: 'number',
      truth: `iif(table_name = '${table}', (select count(*) from ${table} where withheld <> 0), number)`,
    })),
]

/** Counters (D40) that differ from a recount. Each piece is compared in a single statement. */
export function findDrift(handle: Database, limit = 100, rest = noRest): readonly Drift[] {
  const found: Drift[] = []
  for (const kept of keptColumns) {
    for (const range of idRanges(handle, kept.table, kept.key)) {
      found.push(...columnDrift(handle, kept, range, limit - found.length))
      rest()
    }
  }
  return found
}

export function columnDrift(
  handle: Database,
  { table, column, truth, key = 'id' }: KeptColumn,
  { from, to }: IdRange,
  limit: number,
): readonly Drift[] {
  using statement = handle.prepare<Drift, [string, string, number]>(
    `select ? as "table", ? as "column", ${key} as row, ${column} as kept, ${truth} as counted
     from ${table} where ${key} between ${from} and ${to} and ${column} <> ${truth} order by ${key} limit ?`,
  )
  return statement.all(table, column, limit)
}

/** Raises the version of each changed row, if it has one. */
export function setColumn(
  handle: Database,
  { table, column, truth, key = 'id' }: KeptColumn,
  range?: IdRange,
): void {
  const where = range === undefined ? 'true' : `${key} between ${range.from} and ${range.to}`
  if (!versioned.includes(table)) {
    handle.run(`update ${table} set ${column} = ${truth} where ${where} and ${column} <> ${truth}`)
    return
  }
  handle.run(`
    with found (row, counted) as materialized (select id, ${truth} from ${table} where ${where})
    update ${table} set ${column} = counted, version = version + 1 from found
    where id = found.row and ${column} <> counted`)
}

/** Recounts after bulk writes. The caller holds the transaction. */
export function setCounters(handle: Database, tables: readonly string[]): void {
  for (const counter of counterColumns.filter(({ table }) => tables.includes(table)))
    setColumn(handle, counter)
}

export const countedTables: readonly string[] = [...new Set(counters.map(({ table }) => table))]
