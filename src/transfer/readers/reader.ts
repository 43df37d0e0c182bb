import { type CsvRow, csvRows } from '../file/csv'
import type { InputFile } from '../file/input-file'
import { jsonValues } from '../file/json'
import type { ListRow, SaidList } from '../row'
import type { ListSource } from '../sources'
import { type Fields, fieldsOf } from './fields'

/** What detection finds out about a file before choosing a reader; empty for what its kind does not have. */
export interface Contents {
  readonly file: InputFile
  readonly places: ReadonlySet<string>
  /** Names of elements in XML. */
  readonly elements: ReadonlySet<string>
  readonly columns: readonly string[]
  /** Of an archive, by name in lower case. */
  readonly members: ReadonlyMap<string, InputFile>
  /** Of an archive, the tables in its folder `lists`, which may be named as others of its files. */
  readonly lists: readonly InputFile[]
}

/** Reads the lists of one source, without knowing works and users here. */
export interface ListReader {
  readonly source: ListSource
  recognises(contents: Contents): boolean
  /** In file order. Throws a `RefusedFile`. */
  rows(contents: Contents): AsyncGenerator<ListRow>
  /** What the file says of its lists beside their names. The same. */
  lists?(contents: Contents): AsyncGenerator<SaidList>
}

/** A reader of a JSON file that holds a value at one of `places`. */
export const jsonReader = (
  source: ListSource,
  places: RegExp,
  rows: (file: InputFile) => AsyncGenerator<ListRow>,
): ListReader => ({
  source,
  recognises: (contents) => [...contents.places].some((place) => places.test(place)),
  rows: ({ file }) => rows(file),
})

/** A row for each value at a JSON path. */
export const rowsAt = (path: string, rowOf: (value: Fields) => ListRow) =>
  async function* (file: InputFile): AsyncGenerator<ListRow> {
    for await (const { value } of jsonValues(file, path)) yield rowOf(fieldsOf(value))
  }

/** A reader of a CSV file that has all of `columns`: a row for each line. */
export const csvReader = (
  source: ListSource,
  columns: readonly string[],
  rowOf: (cells: CsvRow) => ListRow,
): ListReader => ({
  source,
  recognises: (contents) => columns.every((column) => contents.columns.includes(column)),
  rows: async function* ({ file }) {
    for await (const cells of csvRows(file)) yield rowOf(cells)
  },
})

/** Archive members whose names match, in archive order. */
export const membersOf = ({ members }: Contents, names: RegExp): readonly InputFile[] =>
  [...members].filter(([name]) => names.test(name)).map(([, member]) => member)
