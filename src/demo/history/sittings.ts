import type { Random } from '../random'
import type { Work } from './world'

/** Episodes of a work recorded at one time: more than one of them in one action. */
export interface Sitting {
  /** Epoch milliseconds. */
  readonly time: number
  /** The place of the first episode among the work's, and how many follow each other. */
  readonly first: number
  readonly count: number
}

/** What somebody watches of a work: so many of the episodes, if there is time before `end`. */
export interface Plan {
  readonly work: Work
  readonly most: number
  readonly end: number
  /** The share of evenings that are recorded in one action. */
  readonly together: number
}

/** Week by week, some after each broadcast. Nothing where the first one is past the end. */
export function watchAlong({ work, most, end }: Plan, random: Random): Sitting[] {
  const sittings: Sitting[] = []
  let before = 0
  for (const [first, aired] of work.airs.slice(0, most).entries()) {
    const time = Math.max(aired + delay(random), before + 30 * minute)
    if (time >= end) break
    sittings.push({ time, first, count: 1 })
    before = time
  }
  return sittings
}

/** Several episodes in an evening, on an evening every few days. The first takes place, from `start` on, in any case. */
export function catchUp({ work, most, end, together }: Plan, start: number, random: Random): Sitting[] {
  const sittings: Sitting[] = []
  const soon = evening(start, random)
  let time = soon < end - longest * length ? soon : start
  for (let first = 0; first < most; ) {
    const wanted = Math.min(1 + Math.floor(random.exponential(2)), longest, most - first)
    const shown = work.airs.slice(first, first + wanted).filter((at) => at <= time).length
    // Caught up with the broadcast: from here on it goes week by week.
    if (shown === 0) time = Math.max(time, (work.airs[first] ?? end) + delay(random))
    const count = Math.max(1, shown)
    if (first > 0 && time + count * length >= end) break
    sittings.push(...sitting(time, first, count, random.chance(together)))
    first += count
    time = evening(time + count * length + random.exponential(1.5 * day), random)
  }
  return sittings
}

function sitting(time: number, first: number, count: number, together: boolean): Sitting[] {
  if (together && count > 1) return [{ time: time + count * length, first, count }]
  return Array.from({ length: count }, (_, k) => ({
    time: time + (k + 1) * length,
    first: first + k,
    count: 1,
  }))
}

/** Half watch as it is broadcast or right after, most others within days. */
function delay(random: Random): number {
  if (random.chance(0.45)) return random.between(24 * minute, 90 * minute)
  return 2 * hour + random.exponential(random.chance(0.75) ? day : 6 * day)
}

/** A moment between 18 and 24 o'clock in Japan, on that day or, where that is past, the next. */
function evening(time: number, random: Random): number {
  const midnight = Math.floor((time + 9 * hour) / day) * day - 9 * hour
  const moment = midnight + random.between(18, 24) * hour
  return Math.floor(moment < time ? moment + day : moment)
}

const minute = 60 * 1000
const hour = 60 * minute
const day = 24 * hour
const length = 24 * minute
const longest = 12
