import { LRUCache } from 'lru-cache'

/** What a wall clock shows; `weekday` 0 is Sunday. */
export interface LocalTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly weekday: number
  /** Days since 1970-01-01, for differences. */
  readonly dayNumber: number
}

const dayLength = 86_400_000

/** Whether this machine knows the IANA name, of at most 64 characters. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false
  try {
    return formatterOf(name) !== undefined
  } catch {
    return false
  }
}

/** `at`: epoch milliseconds. Throws a RangeError for an unknown zone. */
export function localTime(at: number, timeZone: string): LocalTime {
  const wall = new Date(wallClock(at, timeZone))
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
    weekday: wall.getUTCDay(),
    dayNumber: Math.floor(wall.getTime() / dayLength),
  }
}

/** What the wall clock shows, as epoch milliseconds as if it were UTC. */
export function wallClock(at: number, timeZone: string): number {
  if (timeZone === 'UTC') return at
  const parts = formatterOf(timeZone).format(at).match(/\d+/g)?.map(Number) ?? []
  const [month = 1, day = 1, year = 1970, hour = 0, minute = 0, second = 0] = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1000) + 1000) % 1000)
}

/**
 * When the wall clock shows `wall`, in epoch milliseconds: the first of two such times; for a skipped hour, as if
 * the clock had not yet been put forward.
 */
export function instantOf(wall: number, timeZone: string): number {
  const [before, after] = [wall - dayLength, wall + dayLength].map((near) => {
    return wall - (wallClock(near, timeZone) - near)
  }) as [number, number]
  const first = Math.min(before, after)
  if (wallClock(first, timeZone) === wall) return first
  return wallClock(after, timeZone) === wall ? after : before
}

const block = 7 * dayLength
const second = 1000
const quarter = 15 * 60 * second

/** What the wall clock showed at a time, in epoch milliseconds as if it were UTC. */
export type ZoneClock = (at: number) => number

/** One that keeps what it found out: the second time, 20,000 times of ten years take 1 ms. */
export function zoneClock(timeZone: string): ZoneClock {
  const known = clocks.get(timeZone)
  if (known !== undefined) return known
  const made = createZoneClock(timeZone)
  clocks.set(timeZone, made)
  return made
}

export const mostZones = 16
const clocks = new LRUCache<string, ZoneClock>({ max: mostZones })

/** Of which a clock keeps what `Intl` said: those of 38 years. */
export const mostWeeks = 2000

/**
 * As `wallClock`, for many times of one zone, of which `Intl` is asked only for the few weeks around each of them: 20,000 times
 * of ten years take 4 ms instead of 30. No zone has changed its clock twice within a week of the calendar.
 */
export function createZoneClock(timeZone: string, shifts = new Map<number, number>()): ZoneClock {
  if (timeZone === 'UTC') return (at) => at
  const changes = new Map<number, number>()
  const shiftAt = (at: number) => wallClock(at, timeZone) - at
  const shiftOf = (number: number) => remembered(shifts, number, () => shiftAt(number * block))
  return (at) => {
    const number = Math.floor(at / block)
    const [before, after] = [shiftOf(number), shiftOf(number + 1)]
    if (before === after) return at + before
    const change = remembered(changes, number, () => changeBetween(number * block, before, shiftAt))
    return at + (at < change ? before : after)
  }
}

/** When the shift is no longer `before`, within the week that begins at `from`: at a full quarter of an hour, or else second. */
function changeBetween(from: number, before: number, shiftAt: (at: number) => number): number {
  const isBefore = (at: number) => shiftAt(at) === before
  const high = narrowed({ low: from, high: from + block }, quarter, isBefore)
  if (isBefore(high - second)) return high
  return narrowed({ low: high - quarter, high }, second, isBefore)
}

/** The first multiple of `step` from `low` on of which `isBefore` is false; it is true of `low` and false of `high`. */
function narrowed(
  { low, high }: { low: number; high: number },
  step: number,
  isBefore: (at: number) => boolean,
): number {
  while (high - low > step) {
    const middle = low + Math.floor((high - low) / 2 / step) * step
    if (isBefore(middle)) low = middle
    else high = middle
  }
  return high
}

function remembered<Value>(known: Map<number, Value>, key: number, find: () => Value): Value {
  const value = known.get(key)
  if (value !== undefined) return value
  const found = find()
  if (known.size < mostWeeks) known.set(key, found)
  return found
}

// Creating a formatter takes about 30 µs, and everybody may choose a different zone.
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 64 })

/** Throws a RangeError for an unknown zone. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', { timeZone, ...numbers })
  formatters.set(timeZone, made)
  return made
}

const numbers = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
  hourCycle: 'h23',
} as const
