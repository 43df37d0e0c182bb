import { html, type Markup } from './html'
import type { PageContext } from './layout'
import { formatDay } from './local-format'
import { timeMarkup } from './moment'

type Reader = Pick<PageContext, 't' | 'now' | 'preferences'>

/** D61: how exactly the time of watching is known. */
export type DatePrecision = 'time' | 'day' | 'month' | 'year' | 'none'

/** When it was watched, as exactly as known: `yesterday 21:03`, `5 March 2016`, `March 2016`, `2016`, `date unknown`. */
export function watchedTime(reader: Reader, at: number, precision: DatePrecision): Markup {
  if (precision === 'time') return timeMarkup(reader, at)
  if (precision === 'none') return html`${reader.t.time.unknown}`
  return partialDate(reader, new Date(at).toISOString().slice(0, knownLength[precision]))
}

const knownLength = { day: 10, month: 7, year: 4 } as const

/** `2016`, `2016-03` or `2016-03-05`, which have no time zone, in words. Anything else is shown unchanged. */
export function partialDate(reader: Pick<Reader, 't'>, text: string): Markup {
  const words = partialWords(reader, text)
  return words === undefined ? html`${text}` : html`<time datetime="${text}">${words}</time>`
}

function partialWords(reader: Pick<Reader, 't'>, text: string): string | undefined {
  const [, year, month, date] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? []
  if (year === undefined) return undefined
  const at = Date.parse(`${year}-${month ?? '01'}-${date ?? '01'}`)
  if (Number.isNaN(at)) return undefined
  const dayNumber = at / 86_400_000
  if (month === undefined) return formatDay(reader, dayNumber, 'year')
  return formatDay(reader, dayNumber, date === undefined ? 'month' : 'dayAndYear')
}
