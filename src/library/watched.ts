import { type Expression, sql } from 'kysely'
import Type from 'typebox'
import { nullable } from '../api/paging'
import { param } from '../api/params'
import { invalidParams } from '../http/errors'
import { instantOf, isRealDate } from '../lib/instant'
import { isoTime } from '../lib/time'
import { anyText, oneOf } from '../values/text'
import { InvalidValue, mapped } from '../values/value'

/** How exactly the time is known (D61), most exact first; `none` is unknown. */
export const precisions = ['time', 'day', 'month', 'year', 'none'] as const
export type Precision = (typeof precisions)[number]

/** Columns of records and reviews; the time is in epoch milliseconds, at noon for a date. */
export interface WatchedColumns<Time = number> {
  readonly watched_at: Time
  readonly watched_at_precision: Precision
}

/** `noon` is noon of that day in the sender's time zone. */
interface SentTime {
  readonly at: number
  readonly noon: number
  readonly precision: Exclude<Precision, 'none'>
}

/** `2016`, `2016-03`, `2016-03-05`, or a time with its zone, not in the future. */
const watched = mapped(anyText, (text, now) => {
  const sent = parseSent(text)
  if (sent === undefined) return new InvalidValue((t) => t.values.watched)
  if (startOf(sent) > now) return new InvalidValue((t) => t.values.future)
  // 1900 is early enough; the years of much earlier times do not have four digits (D4).
  return sent.at < earliest ? new InvalidValue((t) => t.values.before1900) : sent
})

export const watchedAt = (description: string) =>
  param(
    watched,
    `${description}: a time with its zone, or a full or partial date, such as 2016-03-05, 2016-03 or 2016`,
    '2026-04-01T21:00:00+09:00',
  )

export const watchedParams = (what: string) => ({
  watched_at: watchedAt(`Extension: when ${what} watched; now by default`),
  watched_at_precision: param(
    oneOf(precisions),
    'Extension: the precision of watched_at; by default that of the value sent; may be coarser; none if unknown',
    'none',
  ),
})

/** Throws invalid_params if the precision is finer than the time. */
export function watchedOf(
  sent: SentTime | undefined,
  precision: Precision | undefined,
  now: number,
): WatchedColumns {
  if (sent === undefined && precision !== undefined && precision !== 'none')
    throw invalidParams('watched_at_precision requires watched_at, unless it is none.')
  if (sent === undefined || precision === 'none')
    return { watched_at: now, watched_at_precision: precision ?? 'time' }
  const known = precision ?? sent.precision
  if (precisions.indexOf(known) < precisions.indexOf(sent.precision))
    throw invalidParams('watched_at_precision must not be finer than watched_at.')
  return { watched_at: atMost(now, momentOf(sent, known), known), watched_at_precision: known }
}

/** Limits the time to now, or for a date to that day, which may begin in the sender's zone before it does in UTC. */
function atMost(now: number, at: number, precision: Precision): number {
  return precision === 'time' ? Math.min(now, at) : Math.max(Math.min(now, at), Math.floor(at / day) * day)
}

/** What a form sent: a date or a time, blank for now, and a precision, which may be blank (D61). */
export function watchedSaid(
  text: string,
  precision: Precision | undefined,
  now: number,
): WatchedColumns | InvalidValue {
  const sent = text === '' || precision === 'none' ? undefined : watched.read(text, now)
  if (sent instanceof InvalidValue) return sent
  const isFiner =
    sent !== undefined && precisions.indexOf(precision ?? 'none') < precisions.indexOf(sent.precision)
  return watchedOf(sent, isFiner || (sent === undefined && precision !== 'none') ? undefined : precision, now)
}

/** Clearing resets it to the time of creation, as if no time had been sent (D32). */
export function editedWatched(
  sent: SentTime | null | undefined,
  precision: Precision | undefined,
  now: number,
): Partial<WatchedColumns<Expression<number> | number>> {
  if (sent !== null && sent !== undefined) return watchedOf(sent, precision, now)
  if (sent === undefined && precision === undefined) return {}
  const { watched_at_precision } = watchedOf(undefined, precision, now)
  return { watched_at: sql<number>`created_at`, watched_at_precision }
}

/** As much of the date as is known, or the whole time; null if unknown. */
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

/** Exact enough to be shown as the time of a record (D61). */
export const isExact = (precision: string): boolean => precision === 'time' || precision === 'day'

export const watchedSchema = nullable(
  Type.String({
    description: 'Extension: when it was watched, as precisely as known; null if unknown',
    examples: ['2026-04-01T12:00:00.000Z'],
  }),
)

export const precisionSchema = Type.String({
  enum: [...precisions],
  description: 'Extension: the precision of that date or time',
  examples: ['time'],
})

const earliest = Date.UTC(1900, 0)
const day = 86_400_000

/** Noon of a date in a zone, or the nearest moment with the same date in UTC; undefined for an invalid date. */
function noonOf(date: string, zone = 'Z'): number | undefined {
  const noon = instantOf(`${date}T12:00${zone}`)
  const midnight = instantOf(`${date}T00:00Z`) ?? 0
  return noon === undefined ? undefined : Math.min(Math.max(noon, midnight), midnight + day - 1)
}

function parseSent(text: string): SentTime | undefined {
  const [, year, month = '01', date = '01'] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? []
  if (year === undefined) return parseTime(text)
  const whole = `${year}-${month}-${date}`
  const noon = isRealDate(whole) ? noonOf(whole) : undefined
  return noon === undefined ? undefined : { at: noon, noon, precision: byLength[text.length] ?? 'day' }
}

const byLength: Readonly<Record<number, SentTime['precision']>> = { 4: 'year', 7: 'month', 10: 'day' }

function parseTime(text: string): SentTime | undefined {
  const at = instantOf(text)
  const [, year, month, date, zone] = /^(\d{4})-?(\d\d)-?(\d\d)t[^z+-]*(z|[+-].*)$/i.exec(text) ?? []
  const noon = noonOf(`${year}-${month}-${date}`, zone)
  return at === undefined || noon === undefined ? undefined : { at, noon, precision: 'time' }
}

/** Noon of the date; of the first day for a month or a year. */
function momentOf({ at, noon }: SentTime, precision: Precision): number {
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

/** From when on it is no longer in the future: a day begins before its noon. */
const startOf = ({ at, noon, precision }: SentTime) => (precision === 'time' ? at : noon - day)
