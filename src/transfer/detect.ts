import { counted } from './counts'
import { csvCells } from './file/csv'
import type { InputFile } from './file/input-file'
import { placesIn } from './file/json'
import { RefusedFile } from './file/refused-file'
import { inUtf8 } from './file/text'
import { type OpenedUpload, openUpload } from './file/upload'
import { xmlElements } from './file/xml'
import { readers } from './readers'
import type { Contents } from './readers/reader'
import { knownColumns, type TableColumns } from './readers/table/columns'
import { tableWith } from './readers/table/table'
import type { ListSource } from './sources'

/**
 * Finds which source wrote a file by its contents, never by its name; `source` allows only that source's readers, and
 * `columnsOf` tells what a user named the columns of a table. Reads a file that is not an archive to its end. Limits apply to the reader's rows. Throws a `RefusedFile`.
 */
export async function detect(
  path: string,
  name: string,
  source?: ListSource,
  columnsOf: (header: readonly string[]) => Promise<TableColumns | undefined> = async () => undefined,
) {
  const contents = await contentsOf(await openUpload(path, name))
  const mayBeOwn = contents.columns.length > 0 && (source === undefined || source === 'csv')
  const named = mayBeOwn ? await columnsOf(contents.columns) : undefined
  const reader =
    named === undefined
      ? readers.find((one) => (source === undefined || one.source === source) && one.recognises(contents))
      : tableWith(named)
  if (reader === undefined && mayBeOwn && (await isTable(contents)))
    throw new RefusedFile('unknown_columns', { columns: contents.columns })
  if (reader === undefined) throw new RefusedFile('unrecognised')
  return { reader: { ...reader, rows: (from: Contents) => counted(reader.rows(from)) }, contents }
}

/** Has a line below names of columns; a text of one column is not one, unless that has the name of a title or an id. */
async function isTable({ file, columns }: Contents): Promise<boolean> {
  const isNamed = Object.keys(knownColumns(columns).columns).length > 0
  let lines = 0
  if (columns.length > 1 || isNamed) for await (const _ of csvCells(file)) if (++lines > 1) return true
  return false
}

async function contentsOf(upload: OpenedUpload): Promise<Contents> {
  if (upload.members !== undefined) return { ...nothing, file: upload.file, ...membersOf(upload.members) }
  await readToItsEnd(upload.file)
  const file = await inUtf8(upload.file)
  const start = (await startOf(file)).trimStart()
  if (start.startsWith('<')) return { ...nothing, file, elements: await elementsIn(file) }
  if (/^[[{]/.test(start)) return { ...nothing, file, places: await placesIn(file) }
  if (/[^\P{Cc}\s]/u.test(start))
    throw new RefusedFile(isMostlyText(start) ? 'unreadable_text' : 'unrecognised')
  for await (const cells of csvCells(file))
    return { ...nothing, file, columns: cells.map((name) => name.trim()) }
  throw new RefusedFile('unrecognised')
}

const nothing = {
  places: new Set<string>(),
  elements: new Set<string>(),
  columns: [],
  members: new Map(),
  lists: [],
}

/** A list may have the name of another file. What Letterboxd calls deleted is not here any more. */
function membersOf(members: readonly InputFile[]): Pick<Contents, 'members' | 'lists'> {
  const isList = ({ name, folder }: InputFile) =>
    /^(?!deleted\/|orphaned\/)(?:.*\/)?lists$/i.test(folder ?? '') && /\.csv$/i.test(name)
  return { members: byName(members.filter((one) => !isList(one))), lists: members.filter(isList) }
}

/** By names in lower case; the first of two with the same name wins. */
function byName(members: readonly InputFile[]): ReadonlyMap<string, InputFile> {
  const named = new Map<string, InputFile>()
  for (const member of members) {
    const name = member.name.toLowerCase()
    if (!named.has(name)) named.set(name, member)
  }
  return named
}

/** Detects a truncated or oversized file before any of it is used. */
async function readToItsEnd(file: InputFile): Promise<void> {
  let size = 0
  for await (const { length } of file.bytes()) size += length
  if (size === 0) throw new RefusedFile('empty')
}

async function startOf(file: InputFile): Promise<string> {
  for await (const piece of file.bytes()) return new TextDecoder().decode(piece.subarray(0, 4096))
  return ''
}

/** Tells a list with a stray control character from binary data. */
const isMostlyText = (start: string) => (start.match(/[^ -~\s]/g)?.length ?? 0) < start.length / 10

/** Names of elements below the root and of their children: `anime`, `anime/my_status`. */
async function elementsIn(file: InputFile): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for await (const { name, texts } of xmlElements(file)) {
    if (name === 'manga' || texts.user_export_type === '2') throw new RefusedFile('manga_list')
    if (names.size > 200) break
    names.add(name)
    for (const inner of Object.keys(texts)) names.add(`${name}/${inner}`)
  }
  return names
}
