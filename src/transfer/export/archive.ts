import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import type { Exporter } from './entries'
import { type ExportFormat, exportFormats, formats, leftOutOf, type Pieces } from './formats'
import { malId } from './listed-works'
import { type Columns, csvTable } from './table'

/** A zip of every format, and of what each leaves out. Imports read its member `kiroku.json`. */
export async function* archive(exporter: Exporter): AsyncGenerator<Uint8Array> {
  const [{ ZipFile }, members] = [await import('yazl'), await membersOf(exporter)]
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const open: Readable[] = []
  for (const { name, write } of members)
    zip.addReadStreamLazy(
      name,
      { mtime: new Date(exporter.now()), compress: !name.endsWith('.gz') },
      (take) => {
        // yazl does not handle errors of its input streams.
        const source = Readable.from(write(), { highWaterMark: 1 }).on('error', (cause) =>
          output.destroy(cause),
        )
        open.push(source)
        take(null, source)
      },
    )
  zip.end()
  try {
    yield* output as AsyncIterable<Uint8Array>
  } finally {
    for (const source of open) source.destroy()
  }
}

interface Member {
  readonly name: string
  write(): Pieces
}

async function membersOf(exporter: Exporter): Promise<readonly Member[]> {
  const members: Member[] = []
  for (const format of exportFormats) {
    members.push({ name: fileName(format), write: () => formats[format].write(exporter) })
    const left = await leftOutOf(format, exporter)
    if (left !== undefined) members.push({ name: `${format}.left-out.csv`, write: () => left.pieces })
  }
  return [...members, ...(await listMembers(exporter))]
}

/** Numbered, as two lists may have one name. */
async function listMembers(exporter: Exporter): Promise<readonly Member[]> {
  const lists = await exporter.read
    .selectFrom('lists')
    .select(['id', 'name'])
    .where('user_id', '=', exporter.userId)
    .orderBy('id')
    .execute()
  return lists.map((list, at) => ({
    name: `lists/${at + 1} ${[...list.name.replaceAll(notInFileNames, '_')].slice(0, 50).join('')}.csv`,
    write: () => listCsv(exporter, list),
  }))
}

// Also white space and dots at the end, which Windows drops, and what ends a zip's path.
const notInFileNames = /[\p{Cc}\p{Cf}/\\:*?"<>|]|[\s.]+$/gu

const fileName = (format: ExportFormat) =>
  format === 'csv' ? 'records.csv' : `${format}.${formats[format].ending}`

/** A table of the works in a list, in its order, which can also be imported as a custom one. */
async function* listCsv(
  { read }: Exporter,
  { id, name }: { readonly id: number; readonly name: string },
): AsyncGenerator<string> {
  const rows = await worksOfList(read, { list: id })
  yield* csvTable({ ...columns, list: () => name }, inTurn(rows), 'for people')
}

async function* inTurn<T>(rows: readonly T[]): AsyncGenerator<T> {
  yield* rows
}

interface ListLine {
  readonly place: number
  readonly id: number
  readonly malId: string
  readonly title: string
  readonly season_year: number | null
  readonly note: string
}

const columns: Columns<ListLine> = {
  position: ({ place }) => place,
  work_id: ({ id }) => id,
  mal_id: ({ malId }) => malId,
  title: ({ title }) => title,
  year: ({ season_year }) => season_year,
  list_note: ({ note }) => note,
}

/** At most 1,000. Uses list_works_place. */
const worksOfList = preparedSql<ListLine, { list: number }>(
  (slot) => sql`
    select row_number() over (order by place, list_works.id) as place, works.id, ${malId} as malId, title, season_year, note
    from list_works join works on works.id = work_id
    where list_id = ${slot('list')} order by list_works.place, list_works.id`,
)
