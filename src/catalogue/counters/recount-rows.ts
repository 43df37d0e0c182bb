import type { Database } from 'bun:sqlite'
import { noRest } from './rest'
import { type Slice, slices } from './row-count-slices'

export interface Drift {
  readonly table: string
  readonly column: string
  /** The row's id; list, key and block for `row_counts`. */
  readonly row: number | string
  readonly kept: number
  readonly counted: number
}

/** A missing cell counts as 0. */
export function driftIn(handle: Database, slice: Slice, limit: number): readonly Drift[] {
  // Not cached: there are thousands of these statements.
  using statement = handle.prepare<Drift, [number]>(
    `select 'row_counts' as "table", 'n' as "column", list || ' ' || key || ' ' || block as row, kept, counted
     from (${differing(slice)}) limit ?`,
  )
  return statement.all(limit)
}

/** The caller holds the transaction. */
export function setSlice(handle: Database, slice: Slice): void {
  // Materialized, as it reads the table it updates.
  handle.run(`
    with wrong as materialized (${differing(slice)})
    insert or replace into row_counts (list, key, block, n) select list, key, block, counted from wrong where counted > 0`)
  handle.run(`
    with wrong as materialized (${differing(slice)})
    delete from row_counts where (list, key, block) in (select list, key, block from wrong where counted = 0)`)
}

export function setRowCounts(handle: Database): void {
  handle.run('delete from row_counts')
  for (const slice of slices(handle)) setSlice(handle, slice)
}

export function findRowCountDrift(handle: Database, limit: number, rest = noRest): readonly Drift[] {
  const found: Drift[] = []
  for (const slice of slices(handle)) {
    found.push(...driftIn(handle, slice, limit - found.length))
    rest()
  }
  return found
}

const differing = ({ kept, counted }: Slice) => `
  select list, key, block, kept, counted from (
    select list, key, block, sum(kept) as kept, sum(counted) as counted from (
      select list, key, block, n as kept, 0 as counted from (${kept})
      union all select list, key, block, 0, n from (${counted}))
    group by list, key, block)
  where kept <> counted`
