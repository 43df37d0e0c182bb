import type { KeepRule } from '../values/keep-rule'

type Period = keyof KeepRule

/** The period that a UTC time belongs to; weeks begin on Monday. */
const periods = {
  h: (at: number) => Math.floor(at / hour),
  d: (at: number) => Math.floor(at / day),
  // 1 January 1970 was a Thursday.
  w: (at: number) => Math.floor((at / day + 3) / 7),
  m: (at: number) => new Date(at).toISOString().slice(0, 7),
  y: (at: number) => new Date(at).toISOString().slice(0, 4),
} as const satisfies Readonly<Record<Period, (at: number) => unknown>>

const hour = 3_600_000
const day = 86_400_000

const letters = ['d', 'w', 'm', 'y'] as const

/**
 * The newest backup of each of the last n days (weeks, months, years) that have one: a pause loses nothing. Hours are
 * counted back from the newest backup whether they have one or not: otherwise 24 daily backups would be 24 hours.
 */
export function keptBy(rule: KeepRule, times: readonly number[]): ReadonlySet<number> {
  const newestFirst = times.toSorted((a, b) => b - a)
  const since = (newestFirst[0] ?? 0) - (rule.h ?? 0) * hour
  const ofLastHours = newestFirst.filter((at) => at > since)
  return new Set([
    ...newestOfEach(ofLastHours, periods.h, rule.h ?? 0),
    ...letters.flatMap((letter) => newestOfEach(newestFirst, periods[letter], rule[letter] ?? 0)),
  ])
}

function newestOfEach(newestFirst: readonly number[], periodOf: (at: number) => unknown, count: number) {
  const kept = new Map<unknown, number>()
  for (const at of newestFirst) {
    const period = periodOf(at)
    if (kept.has(period)) continue
    if (kept.size === count) break
    kept.set(period, at)
  }
  return [...kept.values()]
}
