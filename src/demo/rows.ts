import type { Database } from 'bun:sqlite'
import type { Bindable } from '../db/prepared'

/** All rows of a table have the same columns. */
export interface DemoRow {
  readonly table: string
  readonly values: Readonly<Record<string, Bindable>>
}

/** Each `yield` returns the id of the inserted row. */
export type DemoRows<T = void> = Generator<DemoRow, T, number>

export function createWriter(handle: Database, onProgress: (text: string) => void) {
  const inserts = new Map<string, ReturnType<typeof insertInto>>()
  const counts = new Map<string, number>()
  const write = ({ table, values }: DemoRow): number => {
    const insert = inserts.get(table) ?? insertInto(handle, table, Object.keys(values))
    inserts.set(table, insert)
    const count = (counts.get(table) ?? 0) + 1
    counts.set(table, count)
    if (count % 10_000 === 0) onProgress(`${table}: ${count.toLocaleString('en')}`)
    return insert(values)
  }
  return { write, counts }
}

function insertInto(handle: Database, table: string, columns: readonly string[]) {
  const statement = handle.query<unknown, Bindable[]>(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  return (values: DemoRow['values']): number =>
    Number(statement.run(...columns.map((column) => values[column] ?? null)).lastInsertRowid)
}
