import { counted } from './counts'
import { csvCells } from './file/csv'
import type { InputFile } from './file/input-file'
import { placesIn } from './file/json'
import { RefusedFile } from './file/refused-file'
import { inUtf8 } from './file/text'
import { openUpload } from './file/upload'
import { xmlElements } from './file/xml'
import { readers } from './readers'
import type { Contents, Reader, Source } from './readers/reader'

export interface Detected {
  /** Its rows are held to the limits. */
  readonly reader: Reader
  readonly contents: Contents
}

/**
 * Finds by the contents of a file, never by its name, which source wrote it; `source` takes that one's reader alone. It
 * reads a file that is no archive to its end. Throws a `RefusedFile`.
 */
export async function detect(path: string, name: string, source?: Source): Promise<Detected> {
  const upload = await openUpload(path, name)
  const contents = upload.kind === 'archive' ? archiveOf(upload.members) : await contentsOf(upload.file)
  const reader = readers.find(
    (one) => (source === undefined || one.source === source) && one.recognises(contents),
  )
  if (reader === undefined) throw new RefusedFile('unrecognised')
  return { reader: { ...reader, rows: (from) => counted(reader.rows(from)) }, contents }
}

/** Members by their names in lower case; of two of one name the first counts. */
function archiveOf(members: readonly InputFile[]): Contents {
  const byName = new Map<string, InputFile>()
  for (const member of members) {
    const name = member.name.toLowerCase()
    if (!byName.has(name)) byName.set(name, member)
  }
  return { kind: 'archive', members: byName }
}

async function contentsOf(upload: InputFile): Promise<Contents> {
  await readToItsEnd(upload)
  const file = await inUtf8(upload)
  const start = (await startOf(file)).trimStart()
  if (start.startsWith('<')) return { kind: 'xml', file, elements: await elementsIn(file) }
  if (/^[[{]/.test(start)) return { kind: 'json', file, places: await placesIn(file) }
  if (/[^\P{Cc}\s]/u.test(start))
    throw new RefusedFile(isMostlyText(start) ? 'unreadable_text' : 'unrecognised')
  for await (const cells of csvCells(file))
    return { kind: 'csv', file, columns: cells.map((name) => name.trim()) }
  throw new RefusedFile('unrecognised')
}

/** Finds what is cut off or too large before anything is read of it. */
async function readToItsEnd(file: InputFile): Promise<void> {
  let size = 0
  for await (const { length } of file.bytes()) size += length
  if (size === 0) throw new RefusedFile('empty')
}

async function startOf(file: InputFile): Promise<string> {
  for await (const piece of file.bytes()) return new TextDecoder().decode(piece.subarray(0, 4096))
  return ''
}

/** A list that holds a control character, unlike bytes of something else. */
const isMostlyText = (start: string) => (start.match(/[^ -~\s]/g)?.length ?? 0) < start.length / 10

/** Names of elements below the root, and of those in them: `anime`, `anime/my_status`. */
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
