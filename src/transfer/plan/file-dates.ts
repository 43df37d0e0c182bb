import { isRealDate } from '../../lib/instant'
import { instantOf, wallClock } from '../../lib/local-time'
import type { Precision } from '../../library/watched'
import type { ListRow, Moment, PartialDate } from '../row'

/** For times in a file: epoch milliseconds, and the IANA zone of those without one. */
export interface FileClock {
  readonly now: number
  readonly timeZone: string
}

export interface KnownMoment {
  readonly at: number
  readonly precision: Exclude<Precision, 'none'>
}

export interface FileDates {
  readonly startedOn: PartialDate | null
  readonly finishedOn: PartialDate | null
}

/** Leaves out impossible dates, with a warning. */
export function datesOf(row: ListRow, clock: FileClock, warn: (warning: string) => void): FileDates {
  const startedOn = possibleDate('started_on', row.startedOn, clock, warn)
  const finishedOn = possibleDate('finished_on', row.finishedOn, clock, warn)
  if (startedOn === null || finishedOn === null || !isBefore(finishedOn, startedOn))
    return { startedOn, finishedOn }
  warn(`finished_on ${finishedOn} is before started_on ${startedOn}`)
  return { startedOn, finishedOn: null }
}

/** Null if it is unknown, in the future or before 1950. */
export function momentOf(moment: Moment | undefined, clock: FileClock): KnownMoment | null {
  if (moment === undefined) return null
  const known = typeof moment === 'number' ? timeOf(moment) : localMoment(moment, clock)
  if (known === null || known.at < earliest) return null
  const isToCome =
    typeof moment === 'string' && isDay(moment) ? isFuture(moment, clock) : known.at > clock.now
  return isToCome ? null : known
}

/** The day of a moment in the zone. */
export const dayOf = (at: number, { timeZone }: FileClock): string =>
  new Date(wallClock(at, timeZone)).toISOString().slice(0, 10)

/** 12:00 in the zone, moved to that day in UTC, which decides how days are shown, and not later than now if possible. */
export function noonOf(day: string, { timeZone, now }: FileClock): number {
  const midnight = Date.parse(`${day}T00:00Z`)
  const noon = noonIn(timeZone, midnight + dayMs / 2)
  return Math.min(Math.max(Math.min(noon, now), midnight), midnight + dayMs - 1)
}

export const isDay = (date: PartialDate | null): date is PartialDate => date?.length === 10

function possibleDate(
  name: string,
  date: PartialDate | undefined,
  clock: FileClock,
  warn: (warning: string) => void,
): PartialDate | null {
  if (date === undefined) return null
  const wrong = wrongWith(date, clock)
  if (wrong !== undefined) warn(`${name} ${date} ${wrong}`)
  return wrong === undefined ? date : null
}

function wrongWith(date: PartialDate, clock: FileClock): string | undefined {
  if (!/^\d{4}(?:-\d\d){0,2}$/.test(date) || !isRealDate(`${date}-01-01`.slice(0, 10))) return 'is no date'
  if (date < '1950') return 'is before 1950'
  return isFuture(date, clock) ? 'is in the future' : undefined
}

/** Converts to the zone, which takes a few microseconds, only if the date may be in the future. */
function isFuture(date: PartialDate, clock: FileClock): boolean {
  const surelyPast = new Date(clock.now - dayMs).toISOString()
  return date >= surelyPast.slice(0, date.length) && date > dayOf(clock.now, clock).slice(0, date.length)
}

/** Takes half the time of `instantOf`: clocks are never changed at noon. */
function noonIn(timeZone: string, wall: number): number {
  const noon = wall - (wallClock(wall, timeZone) - wall)
  return wallClock(noon, timeZone) === wall ? noon : instantOf(wall, timeZone)
}

/** Compares only the parts known of both. */
export const isBefore = (one: PartialDate, other: PartialDate): boolean => {
  const known = Math.min(one.length, other.length)
  return one.slice(0, known) < other.slice(0, known)
}

const timeOf = (at: number): KnownMoment | null =>
  Number.isSafeInteger(at) ? { at, precision: 'time' } : null

function localMoment(text: string, clock: FileClock): KnownMoment | null {
  if (text.length === 10) return isRealDate(text) ? { at: noonOf(text, clock), precision: 'day' } : null
  const wall = isRealDate(text.slice(0, 10)) ? Date.parse(`${text}Z`) : Number.NaN
  return Number.isNaN(wall) ? null : { at: instantOf(wall, clock.timeZone), precision: 'time' }
}

const earliest = Date.UTC(1950, 0)
const dayMs = 86_400_000
