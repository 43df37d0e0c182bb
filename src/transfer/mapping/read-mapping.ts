import { Parser } from 'htmlparser2'
import { streamOf } from '../../lib/stream-of'
import { type InputFile, limited } from '../file/input-file'
import { jsonValues } from '../file/json'
import { RefusedFile } from '../file/refused-file'
import { textOf } from '../file/text'
import { fieldsOf } from '../readers/fields'
import {
  type AnimeElement,
  type MappedRange,
  type MappingKind,
  rangesOfAnime,
  rangesOfDescriptor,
  rangesOfEntry,
} from './ranges'

export interface MappingEntry {
  readonly kind: MappingKind
  /** None if the entry says nothing that can be used. */
  readonly ranges: readonly MappedRange[]
}

/**
 * The entries of a mapping file, whose kind is seen from its contents, also packed by gzip or zstd. Reads it once, and
 * unpacks at most as much as an imported file may have. Throws a `RefusedFile`.
 */
export async function* readMapping(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<MappingEntry> {
  const [start, pieces] = await withStart(unpacked(bytes))
  const file: InputFile = { name: '', bytes: () => limited(pieces) }
  const mark = new TextDecoder().decode(start).trimStart().at(0)
  if (mark === undefined) throw new RefusedFile('empty')
  if (mark === '<') yield* animeLists(file)
  else if (mark === '{' || mark === '[') yield* jsonEntries(file)
  else throw new RefusedFile('unrecognised')
}

/** The first bytes, and all of them. */
async function withStart(
  bytes: AsyncIterable<Uint8Array>,
): Promise<readonly [Uint8Array, AsyncIterable<Uint8Array>]> {
  const pieces = bytes[Symbol.asyncIterator]()
  const first = await pieces.next()
  const start: Uint8Array = first.done ? new Uint8Array() : first.value
  const all = async function* () {
    yield start
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
  }
  return [start, all()]
}

const packings = [
  { format: 'zstd', magic: [0x28, 0xb5, 0x2f, 0xfd] },
  { format: 'gzip', magic: [0x1f, 0x8b] },
] as const

async function* unpacked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const [start, pieces] = await withStart(bytes)
  const packing = packings.find(({ magic }) => magic.every((byte, at) => start[at] === byte))
  if (packing === undefined) return yield* pieces
  try {
    const copies = async function* () {
      for await (const piece of pieces) yield Uint8Array.from(piece)
    }
    yield* streamOf(copies()).pipeThrough(new DecompressionStream(packing.format))
  } catch (cause) {
    throw cause instanceof RefusedFile ? cause : new RefusedFile('broken')
  }
}

/** AniBridge's is an object by descriptors, Fribb's an array. */
async function* jsonEntries(file: InputFile): AsyncGenerator<MappingEntry> {
  for await (const { value, keys } of jsonValues(file, '$.*')) {
    const [key] = keys
    if (typeof key === 'number') yield { kind: 'fribb', ranges: rangesOfEntry(fieldsOf(value)) }
    else if (key !== undefined && !key.startsWith('$'))
      yield { kind: 'anibridge', ranges: rangesOfDescriptor(key, value) }
  }
}

async function* animeLists(file: InputFile): AsyncGenerator<MappingEntry> {
  let found: AnimeElement[] = []
  const parser = animeParser((element) => found.push(element))
  for await (const text of textOf(file)) {
    parser.write(text)
    for (const element of found) yield { kind: 'anime-lists', ranges: rangesOfAnime(element) }
    found = []
  }
  parser.end()
  for (const element of found) yield { kind: 'anime-lists', ranges: rangesOfAnime(element) }
}

/** As many characters of numbers, and as many `<mapping>`, as one anime may have. */
const mostText = 65_536
const mostMappings = 1000

function animeParser(onAnime: (element: AnimeElement) => void): Parser {
  let attributes: Record<string, string> | undefined
  let mappings: { attributes: Record<string, string>; text: string }[] = []
  let open: { attributes: Record<string, string>; text: string } | undefined
  return new Parser(
    {
      onprocessinginstruction: (name) => {
        if (/^!doctype/i.test(name)) throw new RefusedFile('doctype')
      },
      onopentag: (name, own) => {
        if (name === 'html') throw new RefusedFile('html_page')
        if (name === 'anime') [attributes, mappings] = [own, []]
        else if (name === 'mapping' && mappings.length < mostMappings) open = { attributes: own, text: '' }
      },
      ontext: (text) => {
        if (open !== undefined && open.text.length + text.length <= mostText) open.text += text
      },
      onclosetag: (name) => {
        if (name === 'mapping' && open !== undefined) {
          mappings.push(open)
          open = undefined
        } else if (name === 'anime' && attributes !== undefined) {
          onAnime({ attributes, mappings })
          attributes = undefined
        }
      },
    },
    { xmlMode: true },
  )
}
