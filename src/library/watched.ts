import { type Expression, sql } from 'kysely'
import Type from 'typebox'
import { nullable } from '../api/paging'
import { define, described, oneOf, type Param } from '../api/params'
import { invalidParams } from '../http/errors'
import { instantOf, isRealDate } from '../lib/instant'
import { isoTime } from '../lib/time'

/** How exactly it is known when something was watched (D61), the most exact first; `none` is unknown. */
export const precisions = ['time', 'day', 'month', 'year', 'none'] as const
export type Precision = (typeof precisions)[number]

/** When something was watched, as the columns of records and reviews say: epoch milliseconds, in the middle of a day. */
export interface Watched<Time = number> {
  readonly watched_at: Time
  readonly watched_at_precision: Precision
}

/** A time as it was sent; `noon` is that of its day where it was watched. */
interface Sent {
  readonly at: number
  readonly noon: number
  readonly precision: Exclude<Precision, 'none'>
}

/** `2016`, `2016-03`, `2016-03-05`, or a time with its zone, not in the future. */
export const watchedAt = (description: string): Param<Sent> =>
  define({
    schema: Type.String(),
    description: `${description}: a time with its zone, or as much of a date as is known, such as 2016-03-05, 2016-03 or 2016`,
    example: '2026-04-01T21:00:00+09:00',
    read: (text, now) => {
      const sent = sentOf(text)
      if (sent === undefined)
        return {
          rule: 'must be a date and time with its zone, as 2026-04-01T21:00:00+09:00, or a date, as 2016-03-05, 2016-03 or 2016',
        }
      if (beginningOf(sent) > now) return { rule: 'must not be in the future' }
      // Long before there was anything to watch; further back, years have fewer or more than four digits (D4).
      return sent.at < earliest ? { rule: 'must not be before the year 1900' } : { value: sent }
    },
  })

/** The parameters of everything that says when something was watched. */
export const watchedParams = (what: string) => ({
  watched_at: watchedAt(`Extension: when ${what} watched; now unless said`),
  watched_at_precision: described(
    oneOf(precisions, ''),
    'Extension: how exactly that is known; as exactly as it is said, unless this is coarser; none where it is not known',
    'none',
  ),
})

/** The columns of what was sent. Throws invalid_params where the precision is finer than the time. */
export function watchedOf(sent: Sent | undefined, precision: Precision | undefined, now: number): Watched {
  if (sent === undefined && precision !== undefined && precision !== 'none')
    throw invalidParams('watched_at_precision needs watched_at, unless it is none.')
  if (sent === undefined || precision === 'none')
    return { watched_at: now, watched_at_precision: precision ?? 'time' }
  const known = precision ?? sent.precision
  if (precisions.indexOf(known) < precisions.indexOf(sent.precision))
    throw invalidParams('watched_at_precision must not be finer than watched_at.')
  return { watched_at: Math.min(now, momentOf(sent, known)), watched_at_precision: known }
}

/** The columns that an edit changes (D32): cleared, something was watched when it was written, as if nothing had been said. */
export function editedWatched(
  sent: Sent | null | undefined,
  precision: Precision | undefined,
  now: number,
): Partial<Watched<Expression<number> | number>> {
  if (sent !== null && sent !== undefined) return watchedOf(sent, precision, now)
  if (sent === undefined && precision === undefined) return {}
  const { watched_at_precision } = watchedOf(undefined, precision, now)
  return { watched_at: sql<number>`created_at`, watched_at_precision }
}

/** As the API shows it: as much of a date as is known, or a whole time; null where it is unknown. */
export function watchedText(watched_at: number, precision: Precision): string | null {
  const text = isoTime(watched_at)
  switch (precision) {
    case 'time':
      return text
    case 'day':
      return text.slice(0, 10)
    case 'month':
      return text.slice(0, 7)
    case 'year':
      return text.slice(0, 4)
    case 'none':
      return null
  }
}

/** Whether a time is known as exactly as it can be shown as the time of a record (D61). */
export const isExact = (precision: string): boolean => precision === 'time' || precision === 'day'

export const watchedSchema = nullable(
  Type.String({
    description: 'Extension: when it was watched, as exactly as that is known; null where it is not',
    examples: ['2026-04-01T12:00:00.000Z'],
  }),
)

export const precisionSchema = Type.String({
  enum: [...precisions],
  description: 'Extension: how exactly it is known when it was watched',
  examples: ['time'],
})

const earliest = Date.UTC(1900, 0)
const day = 86_400_000

/** Noon of a date in a zone, or the nearest moment that has the same date in UTC; undefined for what is no date. */
function noonOf(date: string, zone = 'Z'): number | undefined {
  const noon = instantOf(`${date}T12:00${zone}`)
  const midnight = instantOf(`${date}T00:00Z`) ?? 0
  return noon === undefined ? undefined : Math.min(Math.max(noon, midnight), midnight + day - 1)
}

function sentOf(text: string): Sent | undefined {
  const [, year, month = '01', date = '01'] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? []
  if (year === undefined) return withTime(text)
  const whole = `${year}-${month}-${date}`
  const noon = isRealDate(whole) ? noonOf(whole) : undefined
  return noon === undefined ? undefined : { at: noon, noon, precision: byLength[text.length] ?? 'day' }
}

const byLength: Readonly<Record<number, Sent['precision']>> = { 4: 'year', 7: 'month', 10: 'day' }

function withTime(text: string): Sent | undefined {
  const at = instantOf(text)
  const [, year, month, date, zone] = /^(\d{4})-?(\d\d)-?(\d\d)t[^z+-]*(z|[+-].*)$/i.exec(text) ?? []
  const noon = noonOf(`${year}-${month}-${date}`, zone)
  return at === undefined || noon === undefined ? undefined : { at, noon, precision: 'time' }
}

/** Noon, or where only a month or a year is known, that of its first day, wherever that is. */
function momentOf({ at, noon }: Sent, precision: Precision): number {
  const date = new Date(noon)
  switch (precision) {
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1, 12)
    case 'year':
      return Date.UTC(date.getUTCFullYear(), 0, 1, 12)
    case 'day':
      return noon
    default:
      return at
  }
}

/** From when on a time that was sent is not in the future: days begin before their noon. */
const beginningOf = ({ at, noon, precision }: Sent) => (precision === 'time' ? at : noon - day)
