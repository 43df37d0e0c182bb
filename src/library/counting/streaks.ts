/** Days in a row, counted from 1970-01-01. */
export interface Streak {
  readonly first: number
  readonly length: number
}

export interface DayFacts {
  /** Undefined without any day. */
  readonly longest: Streak | undefined
  /** That of today, or until yesterday: today is not over. */
  readonly current: Streak | undefined
  readonly busiest: { readonly day: number; readonly plays: number } | undefined
  /** Episodes and films, from the first to the last day, of at least one week. To one decimal. */
  readonly perWeek: number | undefined
}

/** `days`: what was watched on each day. */
export function dayFactsOf(days: ReadonlyMap<number, number>, today: number): DayFacts {
  const sorted = [...days.keys()].sort((one, other) => one - other)
  const streaks = streaksOf(sorted)
  const last = streaks.at(-1)
  const isCurrent = last !== undefined && last.first + last.length >= today && last.first <= today
  return {
    longest: best(streaks, (one, other) => one.length > other.length),
    current: isCurrent ? last : undefined,
    busiest: best(
      [...days].map(([day, plays]) => ({ day, plays })),
      (one, other) => one.plays > other.plays || (one.plays === other.plays && one.day < other.day),
    ),
    perWeek: perWeekOf(days, sorted),
  }
}

function streaksOf(sorted: readonly number[]): Streak[] {
  const streaks: Streak[] = []
  for (const day of sorted) {
    const last = streaks.at(-1)
    if (last !== undefined && last.first + last.length === day)
      streaks[streaks.length - 1] = { ...last, length: last.length + 1 }
    else streaks.push({ first: day, length: 1 })
  }
  return streaks
}

const best = <Item>(items: readonly Item[], isBetter: (one: Item, other: Item) => boolean) =>
  items.reduce<Item | undefined>(
    (found, item) => (found === undefined || isBetter(item, found) ? item : found),
    undefined,
  )

function perWeekOf(days: ReadonlyMap<number, number>, sorted: readonly number[]): number | undefined {
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const plays = [...days.values()].reduce((sum, count) => sum + count, 0)
  return Math.round((plays / Math.max(1, (last - first + 1) / 7)) * 10) / 10
}
