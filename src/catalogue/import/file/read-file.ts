import { decoded } from '../line-taker'
import type { LineTally } from '../report'
import { fileLines, TooLarge, Unreadable } from './file-lines'
import { type Header, readHeader } from './header'
import { parseJson } from './json'
import type { Spool } from './spool'

/** Returns undefined, with a problem in the tally, if the rest of the file is not worth checking. */
export async function readFile(
  input: AsyncIterable<Uint8Array>,
  spool: Spool,
  tally: LineTally,
): Promise<Header | undefined> {
  try {
    for await (const lines of fileLines(input)) {
      for (const line of lines) {
        spool.add(line)
        if (line === undefined) tally.problem(spool.lines, 'the line is longer than 1 MB')
      }
    }
  } catch (cause) {
    if (cause instanceof TooLarge) {
      tally.problem(spool.lines + 1, cause.message)
      return undefined
    }
    if (!(cause instanceof Unreadable)) throw cause
    tally.problem(spool.lines + 1, `the file cannot be read any further: ${cause.message}`)
  }
  spool.end()
  return headerOf(spool, tally)
}

function headerOf(spool: Spool, tally: LineTally): Header | undefined {
  const line = spool.line(1)
  if (line === undefined) {
    tally.problem(1, 'the file is empty')
    return undefined
  }
  const text = decoded(line)
  const header =
    text === undefined
      ? 'the line is not valid UTF-8'
      : readHeader(parseJson(text), (sentence) => tally.warn(sentence))
  if (typeof header !== 'string') return header
  tally.problem(1, header)
  return undefined
}
