import type { CatalogueLine } from '../source'

/** Lines of catalogue JSONL in pieces of some 64 KB; undefined where there is none but a header. */
export async function bytesOfLines(
  lines: Iterable<CatalogueLine> | AsyncIterable<CatalogueLine>,
): Promise<LineBytes | undefined> {
  const iterator = inTurn(lines)
  const first: CatalogueLine[] = []
  while (first.length < 2) {
    const next = await iterator.next()
    if (next.done === true) return undefined
    first.push(next.value)
  }
  return new LineBytes(first, iterator)
}

/** An importer takes what ends early for a damaged file: `failure` tells why it did. */
export class LineBytes {
  readonly #first: readonly CatalogueLine[]
  readonly #rest: AsyncIterable<CatalogueLine>
  failure: unknown

  constructor(first: readonly CatalogueLine[], rest: AsyncIterable<CatalogueLine>) {
    this.#first = first
    this.#rest = rest
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      let text = this.#first.map(lineOf).join('')
      for await (const line of this.#rest) {
        text += lineOf(line)
        if (text.length < pieceLength) continue
        yield new TextEncoder().encode(text)
        text = ''
      }
      yield new TextEncoder().encode(text)
    } catch (cause) {
      this.failure = cause
      throw cause
    }
  }
}

async function* inTurn(
  lines: Iterable<CatalogueLine> | AsyncIterable<CatalogueLine>,
): AsyncGenerator<CatalogueLine> {
  yield* lines
}

const lineOf = (line: CatalogueLine) => `${JSON.stringify(line)}\n`

const pieceLength = 65_536
