import type { Database } from 'bun:sqlite'
import type { Bindable } from '../db/prepared'

/** A row to be written; the rows of a table all give the same columns in the same order. */
export interface Row {
  readonly table: string
  readonly values: Readonly<Record<string, Bindable>>
}

/** Makes rows one after the other. Each `yield` answers with the id its row was given. */
export type Rows<T = void> = Generator<Row, T, number>

/** Writes rows and counts them by table. `onProgress` is told now and then how far it is. */
export function createWriter(handle: Database, onProgress: (text: string) => void) {
  const statements = new Map<string, ReturnType<typeof handle.query<unknown, Bindable[]>>>()
  const counts = new Map<string, number>()
  const statementFor = ({ table, values }: Row) => {
    const columns = Object.keys(values)
    const statement = handle.query<unknown, Bindable[]>(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    statements.set(table, statement)
    return statement
  }
  const write = (row: Row): number => {
    const statement = statements.get(row.table) ?? statementFor(row)
    const { lastInsertRowid } = statement.run(...Object.values(row.values))
    const count = (counts.get(row.table) ?? 0) + 1
    counts.set(row.table, count)
    if (count % 10_000 === 0) onProgress(`${row.table}: ${count.toLocaleString('en')}`)
    return Number(lastInsertRowid)
  }
  return { write, counts }
}
