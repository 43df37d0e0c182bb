import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { InputFile } from './input-file'
import { limits } from './limits'
import { RefusedFile } from './refused-file'
import { encodingOf, type TextEncoding, textOf } from './text'

/** A row by column names, as in the file's first line but trimmed. */
export type CsvRow = Readonly<Record<string, string>>

/** RFC 4180 with commas, semicolons or tabs; cells missing in a row are empty. Throws a `RefusedFile` with the line. */
export async function* csvRows(file: InputFile): AsyncGenerator<CsvRow> {
  let columns: readonly string[] | undefined
  for await (const cells of csvCells(file)) {
    if (columns === undefined) columns = cells.map((name) => name.trim())
    else yield Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? '']))
  }
}

/** The same without names, for files without a header. */
export async function* csvCells(file: InputFile): AsyncGenerator<readonly string[]> {
  const encoding = await encodingOf(file)
  const parser = parse({
    bom: true,
    delimiter: delimiterIn(await firstLine(file, encoding)),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: 2 * limits.text,
  })
  const text = Readable.from(textOf(file, encoding))
  text.on('error', (cause) => parser.destroy(cause))
  try {
    for await (const cells of text.pipe(parser) as AsyncIterable<string[]>) {
      if (cells.length > limits.columns) throw new RefusedFile('too_large', 'columns')
      if (cells.some((cell) => cell.length > limits.text)) throw new RefusedFile('too_large', 'text')
      yield cells
    }
  } catch (cause) {
    throw cause instanceof CsvError ? refused(cause) : cause
  } finally {
    text.destroy()
  }
}

const refused = ({ code, lines }: CsvError): RefusedFile =>
  code === 'CSV_MAX_RECORD_SIZE'
    ? new RefusedFile('too_large', 'text')
    : new RefusedFile('broken', { line: Number(lines) })

async function firstLine(file: InputFile, encoding: TextEncoding): Promise<string> {
  let start = ''
  for await (const text of textOf(file, encoding)) {
    start += text
    if (/[\r\n]/.test(start) || start.length > limits.text) break
  }
  return start.split(/[\r\n]/, 1)[0] ?? ''
}

const countOf = (line: string, delimiter: string) => line.split(delimiter).length

function delimiterIn(line: string): string {
  const [most = ','] = [',', ';', '\t'].sort((one, other) => countOf(line, other) - countOf(line, one))
  return most
}
