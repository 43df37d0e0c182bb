import { type CsvRow, csvRows } from '../file/csv'
import type { InputFile } from '../file/input-file'
import { jsonValues } from '../file/json'
import type { Row } from '../row'
import type { Source } from '../sources'
import { type Fields, fieldsOf } from './fields'

/** What detection knows of a file before a reader is chosen; what a file of its kind does not have is empty. */
export interface Contents {
  readonly file: InputFile
  readonly places: ReadonlySet<string>
  /** Names of elements in XML. */
  readonly elements: ReadonlySet<string>
  readonly columns: readonly string[]
  /** Of an archive, by their names in lower case. */
  readonly members: ReadonlyMap<string, InputFile>
}

/** Reads the lists of one source, and knows nothing of works and users here. */
export interface Reader {
  readonly source: Source
  recognises(contents: Contents): boolean
  /** In the order of the file. Throws a `RefusedFile`. */
  rows(contents: Contents): AsyncGenerator<Row>
}

/** A reader of a JSON file that holds a value at one of `places`. */
export const jsonReader = (
  source: Source,
  places: RegExp,
  rows: (file: InputFile) => AsyncGenerator<Row>,
): Reader => ({
  source,
  recognises: (contents) => [...contents.places].some((place) => places.test(place)),
  rows: ({ file }) => rows(file),
})

/** A row for each value at a path of JSON. */
export const rowsAt = (path: string, rowOf: (value: Fields) => Row) =>
  async function* (file: InputFile): AsyncGenerator<Row> {
    for await (const { value } of jsonValues(file, path)) yield rowOf(fieldsOf(value))
  }

/** A reader of a CSV file that has all of `columns`: a row for each line. */
export const csvReader = (
  source: Source,
  columns: readonly string[],
  rowOf: (cells: CsvRow) => Row,
): Reader => ({
  source,
  recognises: (contents) => columns.every((column) => contents.columns.includes(column)),
  rows: async function* ({ file }) {
    for await (const cells of csvRows(file)) yield rowOf(cells)
  },
})

/** Members of an archive whose names match, in its order. */
export const membersOf = ({ members }: Contents, names: RegExp): readonly InputFile[] =>
  [...members].filter(([name]) => names.test(name)).map(([, member]) => member)
