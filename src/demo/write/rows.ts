import type { Database } from 'bun:sqlite'
import type { Bindable } from '../../db/prepared'

/** Puts rows into a table, many with each statement: half of what one at a time costs. */
export interface Rows {
  /** The values in the order of the columns. */
  add(values: readonly Bindable[]): void
  /** Writes what is still held back. */
  end(): void
}

export function rowsInto(handle: Database, table: string, columns: readonly string[]): Rows {
  const row = `(${columns.map(() => '?').join(', ')})`
  const insert = (rows: number) =>
    handle.prepare<never, Bindable[]>(
      `insert into ${table} (${columns.join(', ')}) values ${Array.from({ length: rows }, () => row).join(', ')}`,
    )
  const many = insert(atOnce)
  let held: Bindable[] = []
  let statements = 0
  return {
    add: (values) => {
      for (const value of values) held.push(value)
      if (held.length < atOnce * columns.length) return
      many.run(...held)
      held = []
      statements += 1
      // Left to itself, Bun lets hundreds of megabytes of what was bound lie about.
      if (statements % tidyAfter === 0) Bun.gc(true)
    },
    end: () => {
      many.finalize()
      if (held.length === 0) return
      const last = insert(held.length / columns.length)
      last.run(...held)
      last.finalize()
      held = []
    },
  }
}

/** The id after the last one a table ever had. */
export function nextId(handle: Database, table: string): number {
  const [row] = handle
    .query<{ seq: number }, [string]>('select seq from sqlite_sequence where name = ?')
    .all(table)
  return (row?.seq ?? 0) + 1
}

const atOnce = 64
const tidyAfter = 1024
