import type { Read } from '../../db/open'
import { html, type Markup } from '../../pages/html'
import { dayStart, formatDay } from '../../pages/local-format'
import type { Preferences } from '../../pages/preferences'
import type { Visit } from '../../web/visit'
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

export const dayLength = 86_400_000

/** When something was watched, as exactly as known (D61); `at` is in epoch milliseconds. */
interface WatchedAt {
  readonly at: number
  readonly precision: string
}

/** Days of a reader's calendar, counted from 1970-01-01. `from` and `until` are epoch milliseconds. */
export interface Days {
  readonly first: number
  readonly last: number
  /** Everything watched on these days is between the two, but so may be other things. */
  readonly from: number
  readonly until: number
  /** Undefined for other days and for dates less exact than a day. */
  dayOf(watched: WatchedAt): number | undefined
}

/** With long nights, a day begins at 6 in the morning (D82). A date without a time is the same in every zone. */
export function daysBetween(preferences: Preferences, first: number, last: number): Days {
  const starts = Array.from({ length: last - first + 2 }, (_, index) => dayStart(preferences, first + index))
  const within = (day: number) => (day >= first && day <= last ? day : undefined)
  return {
    first,
    last,
    from: Math.min(starts[0] ?? 0, first * dayLength),
    until: Math.max(starts.at(-1) ?? 0, (last + 1) * dayLength),
    dayOf: ({ at, precision }) => {
      if (precision === 'day') return within(Math.floor(at / dayLength))
      return precision === 'time' ? within(first + lastAtOrBefore(starts, at)) : undefined
    },
  }
}

/** The index of the last start that is not after `at`; -1 if all are. */
function lastAtOrBefore(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** How many things were watched on each day. */
export function countByDay(days: Days, watched: readonly WatchedAt[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const one of watched) {
    const day = days.dayOf(one)
    if (day !== undefined) counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return counts
}

/** 0 to 3, one per colour. */
export function heatOf(count: number): number {
  if (count === 0) return 0
  if (count === 1) return 1
  return count < 4 ? 2 : 3
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

/** The days of a month, each with its number of entries and a link. `pathOf`: the path of a day that has entries. */
export function monthGrid(
  visit: Visit,
  { days, counts }: MonthOfDiary,
  pathOf: (day: number) => string,
): Markup {
  const { t, preferences } = visit
  const before = (weekdayOf(days.first) - preferences.weekStart + 7) % 7
  const cells = Array.from({ length: before }, () => html`<td></td>`)
  for (let day = days.first; day <= days.last; day += 1) {
    const count = counts.get(day) ?? 0
    const date = day - days.first + 1
    const name = t.diary.dayCount(formatDay(visit, day, 'day'), count)
    cells.push(
      count === 0
        ? html`<td><span class="day">${date}</span></td>`
        : html`<td><a class="day heat-${heatOf(count)}" href="${pathOf(day)}" aria-label="${name}">${date}</a></td>`,
    )
  }
  const weekdays = Array.from({ length: 7 }, (_, index) => days.first - before + index)
  return html`<section class="month" aria-labelledby="by-day"><h2 id="by-day">${t.diary.byDay}</h2>
    <table class="dense"><thead><tr>${weekdays.map(
      (day) => html`<th scope="col">${formatDay(visit, day, 'shortWeekday')}</th>`,
    )}</tr></thead>
    <tbody>${rowsOf(cells)}</tbody></table></section>`
}

function rowsOf(cells: readonly Markup[]): readonly Markup[] {
  const rows = Array.from({ length: Math.ceil(cells.length / 7) }, (_, row) =>
    cells.slice(row * 7, row * 7 + 7),
  )
  return rows.map((row) => html`<tr>${row}</tr>`)
}

/** 0 is Sunday: 1970-01-01 was a Thursday. */
export const weekdayOf = (dayNumber: number): number => (((dayNumber + 4) % 7) + 7) % 7
