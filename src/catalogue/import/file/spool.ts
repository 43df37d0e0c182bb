import type { Database } from 'bun:sqlite'
import type { FileLine } from './file-lines'

export interface Block {
  readonly firstLine: number
  readonly lines: readonly Uint8Array[]
}

/** The lines of one file, packed into the table `import_blocks` for random access. */
export class Spool {
  readonly #handle: Database
  #held: Uint8Array[] = []
  #heldBytes = 0
  #lines = 0
  #last: Block | undefined

  constructor(handle: Database) {
    this.#handle = handle
  }

  get lines(): number {
    return this.#lines
  }

  add(line: FileLine): void {
    this.#lines++
    // A line that is too long was already reported when it was read.
    this.#held.push(line ?? blank)
    this.#heldBytes += (line?.length ?? 0) + 1
    if (this.#heldBytes >= blockBytes) this.end()
  }

  end(): void {
    if (this.#held.length === 0) return
    const text = joined(this.#held, this.#heldBytes)
    this.write(this.#lines - this.#held.length + 1, Bun.zstdCompressSync(text))
    this.#held = []
    this.#heldBytes = 0
  }

  write(firstLine: number, content: Uint8Array): void {
    this.#handle
      .query<never, [number, Uint8Array]>('insert into import_blocks (first_line, content) values (?, ?)')
      .run(firstLine, content)
  }

  *packed(): Generator<PackedBlock> {
    const next = this.#handle.query<PackedBlock, [number]>(
      'select first_line as firstLine, content from import_blocks where first_line > ? order by first_line limit 1',
    )
    for (let [block] = next.all(0); block !== undefined; [block] = next.all(block.firstLine)) yield block
  }

  *blocks(): Generator<Block> {
    for (const block of this.packed()) yield unpacked(block)
  }

  line(number: number): Uint8Array | undefined {
    const { firstLine = 0, lines = [] } = this.#last ?? {}
    if (number >= firstLine && number < firstLine + lines.length) return lines[number - firstLine]
    const [block] = this.#handle
      .query<PackedBlock, [number]>(
        `select first_line as firstLine, content from import_blocks where first_line <= ?
         order by first_line desc limit 1`,
      )
      .all(number)
    this.#last = block && unpacked(block)
    return this.#last?.lines[number - this.#last.firstLine]
  }
}

interface PackedBlock {
  readonly firstLine: number
  readonly content: Uint8Array<ArrayBuffer>
}

function joined(lines: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const text = new Uint8Array(length)
  let at = 0
  for (const line of lines) {
    text.set(line, at)
    at += line.length
    text[at++] = lineFeed
  }
  return text
}

function unpacked({ firstLine, content }: PackedBlock): Block {
  const text = Bun.zstdDecompressSync(content)
  const lines: Uint8Array[] = []
  let start = 0
  for (let end = text.indexOf(lineFeed); end !== -1; end = text.indexOf(lineFeed, start)) {
    lines.push(text.subarray(start, end))
    start = end + 1
  }
  return { firstLine, lines }
}

const blank = new Uint8Array()
const lineFeed = 10
const blockBytes = 131_072
