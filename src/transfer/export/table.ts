import { carried, guarded } from './texts'

type Cell = string | number | null

/** The cell of each column, by column names in order. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

/** Rows per call, because csv-stringify sets itself up for each one. */
const atOnce = 100

/** RFC 4180, with every text quoted. `forPeople`: adds a byte order mark, and guards cells that would be formulas. */
export async function* csvTable<Row>(
  columns: Columns<Row>,
  rows: AsyncIterable<Row>,
  how: 'for programs' | 'for people',
): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync')
  const lines = (cells: (readonly Cell[])[]) =>
    stringify(cells, { quoted_string: true, record_delimiter: 'windows' })
  const shown = how === 'for people' ? guarded : (text: string) => text
  const cellOf = (cell: Cell) => (typeof cell === 'string' ? shown(carried(cell)) : cell)
  yield `${how === 'for people' ? '\uFEFF' : ''}${lines([Object.keys(columns)])}`
  let waiting: Cell[][] = []
  for await (const row of rows) {
    waiting.push(Object.values(columns).map((column) => cellOf(column(row))))
    if (waiting.length < atOnce) continue
    yield lines(waiting)
    waiting = []
  }
  if (waiting.length > 0) yield lines(waiting)
}
