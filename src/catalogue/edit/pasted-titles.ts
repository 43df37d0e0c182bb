import { trimmed } from '../../lib/white-space'
import type { Messages } from '../../messages/en'
import type { Message } from '../../messages/languages'
import { lineUpTo } from '../../values/text'
import { InvalidValue } from '../../values/value'

/** A title of a pasted list. */
export interface PastedTitle {
  /** From 1. */
  readonly line: number
  /** `5`, or `5.5` where a line names it so. */
  readonly number: string
  readonly title: string
}

/** A line, counted from 1, that cannot be read, and the rule that it breaks. */
export class PasteProblem {
  constructor(
    readonly line: number,
    readonly rule: Message,
  ) {}
}

const mostPastedLines = 2000
export const mostPastedBytes = 256 * 1024

/** As long as in catalogue files, without control characters. */
export const episodeTitle = lineUpTo(1000)

/**
 * One title a line, the first of number `from`. `3 題`, `#3 題`, `第3話「題」` and `3⇥題` name their number, from which the
 * lines after it count on; an empty line, or one with a number alone, leaves that episode as it is. Digits may be full-width.
 */
export function readPastedTitles(text: string, from: number): readonly PastedTitle[] | PasteProblem {
  const lines = text.trimEnd().split(/\r\n|\n|\r/)
  if (lines.length > mostPastedLines)
    return new PasteProblem(mostPastedLines + 1, (t) => t.episodeList.tooManyLines(mostPastedLines))
  const titles = new Map<string, PastedTitle>()
  let next = from
  for (const [at, whole] of lines.entries()) {
    const { number = String(next), title } = readLine(trimmed(whole.replaceAll('\t', ' ')))
    next = Math.floor(Number(number)) + 1
    if (title === '') continue
    const problem = titles.has(number)
      ? (t: Messages) => t.episodeList.numberTwice(number)
      : problemOf(number, title)
    if (problem !== undefined) return new PasteProblem(at + 1, problem)
    titles.set(number, { line: at + 1, number, title })
  }
  return [...titles.values()]
}

function problemOf(number: string, title: string): Message | undefined {
  if (Number(number) > greatestNumber) return (t) => t.episodeList.beyond(greatestNumber)
  const read = episodeTitle.read(title)
  return read instanceof InvalidValue ? read.rule : undefined
}

const greatestNumber = 2000

/** `number` only if the line names it. */
function readLine(line: string): { readonly number?: string; readonly title: string } {
  for (const form of numbered) {
    const [whole, number] = form.exec(line) ?? []
    if (whole !== undefined && number !== undefined)
      return {
        number: plainNumber(number),
        title: unquoted(trimmed(line.slice(whole.length).replace(/^\s*[:：]/, ''))),
      }
  }
  return { title: line }
}

const digits = '([0-9０-９]{1,4}(?:[.．][0-9０-９])?)'

const numbered = [
  new RegExp(`^第\\s*${digits}\\s*[話回](?=$|[\\s「『:：])`, 'u'),
  new RegExp(`^[#＃♯]\\s*${digits}(?=$|[\\s「『:：])`, 'u'),
  // A number alone may be a title.
  new RegExp(`^${digits}(?=\\s)`, 'u'),
]

/** `05` is 5, `5.0` too. */
const plainNumber = (text: string): string => String(Number(text.normalize('NFKC')))

/** Quotation marks around the whole title belong to the list. */
function unquoted(title: string): string {
  const [, inner] =
    /^(?:「([^「」]+)」|『([^『』]+)』)$/u.exec(title)?.filter((part) => part !== undefined) ?? []
  return inner === undefined ? title : trimmed(inner)
}
