import { streamOf } from '../../../lib/stream-of'
import { type FileLimits, fileLimits } from './limits'

/** A line's bytes without its line break; undefined stands for a line that is too long. */
export type FileLine = Uint8Array | undefined

export class Unreadable extends Error {}

export class TooLarge extends Error {}

/** Unpacks gzip and zstd. Throws `Unreadable` if the input is damaged or truncated, `TooLarge` past a limit. */
export async function* fileLines(
  input: AsyncIterable<Uint8Array>,
  limits: FileLimits = fileLimits,
): AsyncGenerator<readonly FileLine[]> {
  const splitter = new Splitter(limits.lineBytes)
  const size = { packed: 0, unpacked: 0, lines: 0 }
  try {
    for await (const chunk of unpacked(measured(input, size))) {
      size.unpacked += chunk.length
      const lines = splitter.split(chunk)
      size.lines += lines.length
      refuseTooLarge(size, limits)
      yield lines
    }
  } catch (cause) {
    if (cause instanceof TooLarge) throw cause
    throw new Unreadable(cause instanceof Error ? cause.message : String(cause))
  }
  yield splitter.end()
}

async function* measured(
  input: AsyncIterable<Uint8Array>,
  size: { packed: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of input) {
    size.packed += chunk.length
    yield chunk
  }
}

function refuseTooLarge(
  { packed, unpacked, lines }: { packed: number; unpacked: number; lines: number },
  limits: FileLimits,
): void {
  const grouped = (n: number) => n.toLocaleString('en')
  if (lines > limits.lines) throw new TooLarge(`a file may have at most ${grouped(limits.lines)} lines`)
  if (unpacked > limits.bytes)
    throw new TooLarge(`a file may have at most ${grouped(limits.bytes)} bytes when unpacked`)
  if (unpacked > limits.ratioFrom && unpacked > packed * limits.ratio)
    throw new TooLarge(`a file may unpack to at most ${limits.ratio} times its size`)
}

async function* unpacked(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = input[Symbol.asyncIterator]()
  const head = await firstBytes(chunks)
  const all = joined(head, chunks)
  const format = formats.find(({ magic }) => magic.every((byte, at) => head[at] === byte))
  if (format === undefined) yield* all
  else yield* streamOf(all).pipeThrough(new DecompressionStream(format.name))
}

async function firstBytes(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let head = Buffer.alloc(0)
  while (head.length < longestMagic) {
    const next = await chunks.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  return head
}

async function* joined(
  head: Uint8Array,
  chunks: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (head.length > 0) yield new Uint8Array(head)
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next())
    yield new Uint8Array(next.value)
}

class Splitter {
  readonly #longest: number
  #rest: Uint8Array[] = []
  #length = 0

  constructor(longest: number) {
    this.#longest = longest
  }

  split(chunk: Uint8Array): readonly FileLine[] {
    const lines: FileLine[] = []
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#keep(chunk.subarray(start, end))
      lines.push(this.#take())
      start = end + 1
    }
    this.#keep(chunk.slice(start))
    return lines
  }

  end(): readonly FileLine[] {
    return this.#length === 0 ? [] : [this.#take()]
  }

  #keep(part: Uint8Array): void {
    this.#length += part.length
    // Only the length of a line that is too long matters.
    if (this.#length > this.#longest) this.#rest = []
    else if (part.length > 0) this.#rest.push(part)
  }

  #take(): FileLine {
    const [first] = this.#rest
    const line = this.#rest.length === 1 && first !== undefined ? first : Buffer.concat(this.#rest)
    const tooLong = this.#length > this.#longest
    this.#rest = []
    this.#length = 0
    if (tooLong) return undefined
    return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line
  }
}

const formats = [
  { name: 'gzip', magic: [0x1f, 0x8b] },
  { name: 'zstd', magic: [0x28, 0xb5, 0x2f, 0xfd] },
] as const
const longestMagic = 4
const lineFeed = 10
const carriageReturn = 13
