import { quarters } from '../../../../db/catalogue/season'
import { isRealDate } from '../../../lib/instant'

/** `2026-11-15 00:30:00` in Japan, in epoch milliseconds. */
export function instantOf(text: string): number | undefined {
  const [, day = '', time = ''] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(text) ?? []
  const instant = isRealDate(day) ? Date.parse(`${day}T${time}+09:00`) : Number.NaN
  return Number.isNaN(instant) ? undefined : instant
}

export const stampOf = (instant: number): string =>
  new Date(instant + japan).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '_')

/** Midnight in Japan of `YYYY-MM-DD`, some days later. */
export const midnight = (day: string, later = 0): number => Date.parse(`${day}T00:00:00+09:00`) + later * aDay

/** The quarter of a season such as `2026-autumn`, or the year of `2026-all`: from its first midnight until its last. */
export function spanOf(season: string): Span | undefined {
  const [year = '', name = ''] = season.split('-')
  const quarter = quarters.indexOf(name)
  if (!/^\d{4}$/.test(year) || (quarter < 0 && name !== 'all')) return undefined
  const [first, months] = quarter < 0 ? [0, 12] : [quarter * 3, 3]
  const monthOf = (month: number) => Date.UTC(Number(year), month, 1) - japan
  return { from: monthOf(first), to: monthOf(first + months) }
}

/** Epoch milliseconds, the end excluded. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The season in which a broadcast counts: a day lasts until 5 in the morning. `later` in days. */
export function seasonAt(instant: number, later: number): string {
  const day = new Date(instant + japan - 5 * anHour + later * aDay)
  return seasonName(day.getUTCFullYear(), day.getUTCMonth() + 1)
}

/** `month` from 1; the year alone without one. */
export const seasonName = (year: number, month: number | undefined): string =>
  `${year}-${month === undefined ? 'all' : quarters[Math.floor((month - 1) / 3)]}`

/** Whole months since the year 0, in Japan. */
export function monthOf(instant: number): number {
  const day = new Date(instant + japan)
  return day.getUTCFullYear() * 12 + day.getUTCMonth()
}

const anHour = 3_600_000
export const aDay = 24 * anHour
const japan = 9 * anHour
