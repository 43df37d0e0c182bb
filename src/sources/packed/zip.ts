import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { type AnswerBody, ShapeError } from '../source'

export interface ZipMember {
  /** Without its folders. */
  readonly name: string
  bytes(): AsyncIterable<Uint8Array>
}

/**
 * The members of a zip, which may be larger than memory. An answer can only be read from the start: its end, with the
 * directory, is kept, and each member is found by reading the answer again. Throws a `ShapeError` for a damaged zip.
 */
export async function zipMembers(body: AnswerBody): Promise<readonly ZipMember[]> {
  const reader = await readerOf(body)
  const members: ZipMember[] = []
  try {
    const zip = await open(reader)
    for await (const entry of zip.eachEntry()) {
      const name = basename(entry.fileNameRaw.toString('utf8').replaceAll('\\', '/'))
      members.push({ name, bytes: () => unpacked(reader, entry) })
      if (members.length > mostMembers) throw new ShapeError('the zip', 'has too many members')
    }
  } catch (cause) {
    throw refused(cause)
  }
  return members
}

const mostMembers = 1000

export async function isZip(body: AnswerBody): Promise<boolean> {
  for await (const [first, second] of body.stream()) return first === 0x50 && second === 0x4b
  return false
}

const open = (reader: StreamReader): Promise<ZipFile> =>
  fromRandomAccessReaderPromise(reader, reader.size, { autoClose: false, decodeStrings: false })

async function* unpacked(reader: StreamReader, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    yield* await (await open(reader)).openReadStreamPromise(entry)
  } catch (cause) {
    throw refused(cause)
  }
}

const refused = (cause: unknown) =>
  cause instanceof ShapeError
    ? cause
    : new ShapeError('the zip', `cannot be read: ${cause instanceof Error ? cause.message : cause}`)

async function readerOf(body: AnswerBody): Promise<StreamReader> {
  let size = 0
  let tail = Buffer.alloc(0)
  for await (const piece of body.stream()) {
    size += piece.length
    tail = Buffer.concat([tail, piece]).subarray(-tailBytes)
  }
  return new StreamReader(body, size, tail)
}

/** Larger than a directory of some hundred members. */
const tailBytes = 262_144

class StreamReader extends RandomAccessReader {
  readonly #body: AnswerBody
  readonly #tail: Buffer

  constructor(
    body: AnswerBody,
    readonly size: number,
    tail: Buffer,
  ) {
    super()
    this.#body = body
    this.#tail = tail
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const held = this.size - this.#tail.length
    if (start >= held) return Readable.from([this.#tail.subarray(start - held, end - held)])
    return Readable.from(range(this.#body, start, end))
  }
}

async function* range(body: AnswerBody, start: number, end: number): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const piece of body.stream()) {
    const from = Math.max(0, start - at)
    if (from < piece.length) yield piece.subarray(from, end - at)
    at += piece.length
    if (at >= end) return
  }
}
