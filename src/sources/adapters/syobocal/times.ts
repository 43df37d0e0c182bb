import { quarters } from '../../../catalogue/season'
import { isRealDate } from '../../../lib/instant'

/** `2026-11-15 00:30:00` in Japan as epoch milliseconds. */
export function instantOf(text: string): number | undefined {
  const [, day = '', time = ''] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(text) ?? []
  const instant = isRealDate(day) ? Date.parse(`${day}T${time}+09:00`) : Number.NaN
  return Number.isNaN(instant) ? undefined : instant
}

export const stampOf = (instant: number): string =>
  new Date(instant + japan).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '_')

/** Midnight in Japan of `YYYY-MM-DD`, `later` days later. */
export const midnight = (day: string, later = 0): number => Date.parse(`${day}T00:00:00+09:00`) + later * aDay

/** The quarter of a season such as `2026-autumn`, or the year of `2026-all`: from its first midnight to its last. */
export function spanOf(season: string): Span | undefined {
  const [year = '', name = ''] = season.split('-')
  const quarter = quarters.indexOf(name)
  if (!/^\d{4}$/.test(year) || (quarter < 0 && name !== 'all')) return undefined
  const [first, months] = quarter < 0 ? [0, 12] : [quarter * 3, 3]
  const monthOf = (month: number) => Date.UTC(Number(year), month, 1) - japan
  return { from: monthOf(first), to: monthOf(first + months) }
}

/** Epoch milliseconds; the end is exclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The season a broadcast counts towards: a day lasts until 5 in the morning. `later` is in days. */
export function seasonAt(instant: number, later: number): string {
  const day = new Date(instant + japan - 5 * anHour + later * aDay)
  return seasonName(day.getUTCFullYear(), day.getUTCMonth() + 1)
}

/** `month` counts from 1; without one, the whole year. */
export const seasonName = (year: number, month: number | undefined): string =>
  `${year}-${month === undefined ? 'all' : quarters[Math.floor((month - 1) / 3)]}`

/** Months since year 0, in Japan. */
export function monthOf(instant: number): number {
  const day = new Date(instant + japan)
  return day.getUTCFullYear() * 12 + day.getUTCMonth()
}

const anHour = 3_600_000
export const aDay = 24 * anHour
const japan = 9 * anHour
