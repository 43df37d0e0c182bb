import { instantOf } from '../../lib/local-time'
import type { Preferences } from '../../pages/preferences'

export const dayLength = 86_400_000

/** When something was watched, as exactly as known (D61); `at` is in epoch milliseconds. */
export interface WatchedAt {
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

/** With long nights, a day begins at 5 in the morning. A date without a time is the same in every zone. */
export function daysBetween({ timeZone, hasLongNights }: Preferences, first: number, last: number): Days {
  const begin = hasLongNights ? 5 * 3_600_000 : 0
  const starts = Array.from({ length: last - first + 2 }, (_, index) =>
    instantOf((first + index) * dayLength + begin, timeZone),
  )
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
