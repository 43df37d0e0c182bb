import { fileLines, TooLarge, Unreadable } from '../../catalogue/import/file/file-lines'
import { parseJson } from '../../catalogue/import/file/json'
import { fileLimits } from '../../catalogue/import/file/limits'
import { decoded } from '../../catalogue/import/line-taker'
import { ShapeError } from '../source'

/** The values of JSON Lines, also packed by gzip or zstd; skips blank lines. Throws a `ShapeError` that names `where`. */
export async function* jsonLines(
  where: string,
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<unknown> {
  let number = 0
  for await (const bytes of linesOf(where, stream, maxBytes)) {
    number += 1
    if (bytes?.length === 0) continue
    const value = parseJson((bytes && decoded(bytes)) ?? '')
    if (value === undefined) throw new ShapeError(`${where}, line ${number},`, 'is no JSON')
    yield value
  }
}

async function* linesOf(where: string, stream: AsyncIterable<Uint8Array>, bytes: number) {
  try {
    for await (const lines of fileLines(stream, { ...fileLimits, lines: Number.POSITIVE_INFINITY, bytes }))
      yield* lines
  } catch (cause) {
    if (cause instanceof TooLarge || cause instanceof Unreadable)
      throw new ShapeError(`${where}:`, cause.message)
    throw cause
  }
}
