import { instantOf, type LocalTime, localTime } from '../lib/local-time'
import type { PageContext } from './layout'
import type { Preferences } from './preferences'

type Reader = Pick<PageContext, 't' | 'preferences'>

/** A time as the reader's clock shows it: with long nights, 1:05 is 25:05 on the day before. */
export interface ReaderTime extends LocalTime {
  /** `24:26` */
  readonly clock: string
}

/** The hour at which a day begins for those who count hours up to 29:59 (D82). */
const nightEnd = 6

export function readerTime({ preferences }: Pick<Reader, 'preferences'>, at: number): ReaderTime {
  const { timeZone, hasLongNights } = preferences
  const local = localTime(at, timeZone)
  const isLate = hasLongNights && local.hour < nightEnd
  const { hour, minute } = local
  // By the calendar: where the clock is put back, the night is longer than its hours.
  const day = isLate ? localTime((local.dayNumber - 1) * 86_400_000, 'UTC') : local
  const { year, month, day: date, weekday, dayNumber } = day
  const clock = `${isLate ? hour + 24 : hour}:${String(minute).padStart(2, '0')}`
  return { ...local, year, month, day: date, weekday, dayNumber, clock }
}

/** The hour at which the reader's days begin. */
export const dayHours = ({ hasLongNights }: Pick<Preferences, 'hasLongNights'>): number =>
  hasLongNights ? nightEnd : 0

/** When a day of the reader's begins, in epoch milliseconds. `dayNumber`: days since 1970-01-01. */
export const dayStart = (
  preferences: Pick<Preferences, 'timeZone' | 'hasLongNights'>,
  dayNumber: number,
): number => instantOf((dayNumber * 24 + dayHours(preferences)) * 3_600_000, preferences.timeZone)

const formats = {
  /** `14 May`, `5月14日` */
  day: { day: 'numeric', month: 'short' },
  /** `Sat 16 May`, `5月16日(土)` */
  weekdayAndDay: { weekday: 'short', day: 'numeric', month: 'short' },
  /** `14 May 2025`, `2025年5月14日` */
  dayAndYear: { day: 'numeric', month: 'long', year: 'numeric' },
  /** `May 2025`, `2025年5月` */
  month: { month: 'long', year: 'numeric' },
  /** `May`, `5月` */
  shortMonth: { month: 'short' },
  /** `July`, `7月` */
  longMonth: { month: 'long' },
  /** `2025`, `2025年` */
  year: { year: 'numeric' },
  /** `Saturday`, `土曜日` */
  weekday: { weekday: 'long' },
  /** `Sat`, `土` */
  shortWeekday: { weekday: 'short' },
  /** `S`, `土` */
  narrowWeekday: { weekday: 'narrow' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export type DayFormat = keyof typeof formats

/** `dayNumber`: days since 1970-01-01. */
export function formatDay({ t }: Pick<Reader, 't'>, dayNumber: number, format: DayFormat): string {
  return formatterOf(t.language.locale, format).format(dayNumber * 86_400_000)
}

/** One per language and format: creating one takes about 30 µs. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(locale: string, format: DayFormat): Intl.DateTimeFormat {
  const key = `${locale} ${format}`
  const known = formatters.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(locale, { ...formats[format], timeZone: 'UTC' })
  formatters.set(key, made)
  return made
}
