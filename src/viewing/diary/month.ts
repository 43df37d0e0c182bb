import type { Read } from '../../db/open'
import type { Preferences } from '../../pages/preferences'
import { countByDay, type Days, dayLength, daysBetween } from './days'
import { type WatchedKey, watchedBetween } from './queries'

export interface Month {
  readonly year: number
  /** Counts from 1. */
  readonly month: number
}

export interface MonthOfDiary extends Month {
  readonly days: Days
  readonly counts: ReadonlyMap<number, number>
  /** Newest day first; those with only the month known come last. */
  readonly keys: readonly DatedKey[]
}

export interface DatedKey extends WatchedKey {
  /** Undefined if only the month is known. */
  readonly day: number | undefined
}

export async function monthOfDiary(
  read: Read,
  user: number,
  { year, month, preferences }: Month & { readonly preferences: Preferences },
): Promise<MonthOfDiary> {
  const days = daysOfMonth({ year, month }, preferences)
  const found = await watchedBetween(read, { user, from: days.from, until: days.until })
  const keys = found.flatMap((key) => {
    const day = days.dayOf(key)
    return day !== undefined || isSometimeIn(key, { year, month }) ? [{ ...key, day }] : []
  })
  // Dates without a time are the same in every zone, so sorting by time is not sorting by day.
  keys.sort((one, other) => (other.day ?? 0) - (one.day ?? 0) || other.at - one.at)
  return { year, month, days, counts: countByDay(days, found), keys }
}

function daysOfMonth({ year, month }: Month, preferences: Preferences): Days {
  const first = Date.UTC(year, month - 1) / dayLength
  return daysBetween(preferences, first, Date.UTC(year, month) / dayLength - 1)
}

function isSometimeIn({ at, precision }: WatchedKey, { year, month }: Month): boolean {
  const date = new Date(at)
  return precision === 'month' && date.getUTCFullYear() === year && date.getUTCMonth() === month - 1
}

/** Months since year 0, to get the previous and the next one. */
export const monthNumber = ({ year, month }: Month): number => year * 12 + month - 1

export const monthOf = (number: number): Month => ({
  year: Math.floor(number / 12),
  month: (number % 12) + 1,
})
