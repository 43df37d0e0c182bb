import type { CatalogueLine } from '../source'

export interface LineBytes extends AsyncIterable<Uint8Array> {
  /** Why the lines ended early, which an importer would take for a damaged file. */
  failure?: unknown
}

/** Lines of catalogue JSONL in chunks of some 64 KB; undefined if there is only a header. */
export async function bytesOfLines(
  lines: Iterable<CatalogueLine> | AsyncIterable<CatalogueLine>,
): Promise<LineBytes | undefined> {
  const rest = inTurn(lines)
  const [header, first] = [await rest.next(), await rest.next()]
  if (header.done === true || first.done === true) return undefined
  const bytes: LineBytes = {
    async *[Symbol.asyncIterator]() {
      try {
        yield* piecesOf(textOf(header.value) + textOf(first.value), rest)
      } catch (cause) {
        bytes.failure = cause
        throw cause
      }
    },
  }
  return bytes
}

async function* inTurn(
  lines: Iterable<CatalogueLine> | AsyncIterable<CatalogueLine>,
): AsyncGenerator<CatalogueLine> {
  yield* lines
}

async function* piecesOf(begun: string, rest: AsyncIterable<CatalogueLine>): AsyncGenerator<Uint8Array> {
  let text = begun
  for await (const line of rest) {
    text += textOf(line)
    if (text.length < pieceLength) continue
    yield new TextEncoder().encode(text)
    text = ''
  }
  yield new TextEncoder().encode(text)
}

const textOf = (line: CatalogueLine) => `${JSON.stringify(line)}\n`

const pieceLength = 65_536
