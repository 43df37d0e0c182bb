import { usualMinutes } from '../../catalogue/minutes'
import type { ZoneClock } from '../../lib/local-time'
import { holdsMonth, holdsYear, monthNumber, monthText, type Period } from './period'
import type { CountedPlay, Watched, WorkFacts } from './plays'

export interface Counting {
  readonly clock: ZoneClock
  /** The hour at which a day begins: 0, or 6 with long nights (D82). */
  readonly dayBegins: number
  /** Undefined for all time. */
  readonly period: Period | undefined
  readonly media: string | undefined
}

/** As exactly as it is known (D61): a day has a month, a month has a year. Days and months are counted, the hour is 0 to 23. */
export interface Dated {
  readonly year: number | undefined
  readonly month: number | undefined
  readonly day: number | undefined
  readonly hour: number | undefined
}

export interface DatedPlay extends CountedPlay, Dated {}

export interface Count {
  episodes: number
  films: number
}

export interface PlayCounts extends Count {
  /** Estimated where nobody says how long an episode is. */
  minutes: number
  /** Of all time: they are in no period (D90). */
  undated: number
  readonly years: Map<number, Count>
  readonly months: Map<number, Count>
  /** Episodes and films of each day. */
  readonly days: Map<number, number>
  /** By weekday from Monday and hour. */
  readonly when: readonly number[][]
  /** Those of the period. */
  readonly plays: readonly DatedPlay[]
  /** The first and last of each work, of all time. */
  readonly ends: ReadonlyMap<number, Ends>
}

interface Ends {
  first: CountedPlay
  last: CountedPlay
}

/** What is in the period, by D90. One pass. */
export function countPlays({ plays, works }: Watched, counting: Counting): PlayCounts {
  const found: DatedPlay[] = []
  const ends = new Map<number, Ends>()
  const counts: PlayCounts = {
    ...{ episodes: 0, films: 0, minutes: 0, undated: 0 },
    ...{ years: new Map(), months: new Map(), days: new Map() },
    when: Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0)),
    ...{ plays: found, ends },
  }
  const dateOf = createDating(counting)
  const isNear = nearPeriod(counting.period)
  for (const play of plays) {
    const work = works.get(play.work_id)
    if (work === undefined || !isOfMedia(work, counting)) continue
    if (play.precision === 'none') counts.undated += 1
    else extend(ends, play)
    if (!isNear(play.at)) continue
    const dated = dateOf(play)
    if (!isWithin(counting.period, dated)) continue
    found.push(dated)
    add(counts, dated, work)
  }
  return counts
}

export const isOfMedia = ({ media }: WorkFacts, counting: Pick<Counting, 'media'>): boolean =>
  counting.media === undefined || counting.media === media

/** Dates without a time are the same in every zone. */
export function createDating({ clock, dayBegins }: Counting): (play: CountedPlay) => DatedPlay {
  const months = new Map<number, number>()
  const monthOf = (day: number) => {
    const known = months.get(day)
    if (known !== undefined) return known
    const month = monthOfDay(day)
    months.set(day, month)
    return month
  }
  return (play) => {
    const date = Math.floor(play.at / dayLength)
    if (play.precision === 'time') {
      const wall = clock(play.at)
      const day = Math.floor((wall - dayBegins * hourLength) / dayLength)
      const hour = Math.floor(wall / hourLength) - Math.floor(wall / dayLength) * 24
      return datedAs(play, monthOf(day), day, hour)
    }
    if (play.precision === 'day') return datedAs(play, monthOf(date), date)
    if (play.precision === 'month') return datedAs(play, monthOf(date))
    const year = play.precision === 'year' ? Math.floor(monthOf(date) / 12) : undefined
    return { ...datedAs(play), year }
  }
}

/** All of one shape: 20,000 of them are made in the time of a page. */
const datedAs = (
  { work_id, at, precision, lap }: CountedPlay,
  month?: number,
  day?: number,
  hour?: number,
): DatedPlay => ({
  work_id,
  at,
  precision,
  lap,
  year: month === undefined ? undefined : Math.floor(month / 12),
  month,
  day,
  hour,
})

export const hourLength = 3_600_000
export const dayLength = 86_400_000

/** Of a day counted from 1970-01-01. */
export function monthOfDay(day: number): number {
  const date = new Date(day * dayLength)
  return monthNumber(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** Whether a time may be in the period, in whatever zone and wherever days begin: others need no date. */
function nearPeriod(period: Period | undefined): (at: number) => boolean {
  if (period === undefined) return () => true
  const begin = (month: number) => Date.UTC(Math.floor(month / 12), month % 12)
  const [from, until] = [begin(period.from) - 2 * dayLength, begin(period.until + 1) + 2 * dayLength]
  return (at) => from <= at && at < until
}

function isWithin(period: Period | undefined, { year, month }: Dated): boolean {
  if (period === undefined) return true
  if (month !== undefined) return holdsMonth(period, month)
  return year !== undefined && holdsYear(period, year)
}

/** Of two at the same time the same one as in `src/library/status-dates.ts`. */
function extend(ends: Map<number, Ends>, play: CountedPlay): void {
  const known = ends.get(play.work_id)
  if (known === undefined) {
    ends.set(play.work_id, { first: play, last: play })
    return
  }
  if (play.at - known.first.at < Number(play.precision < known.first.precision)) known.first = play
  if (known.last.at - play.at < Number(play.precision < known.last.precision)) known.last = play
}

function add(counts: PlayCounts, dated: DatedPlay, work: WorkFacts): void {
  const what = dated.lap === 0 ? 'films' : 'episodes'
  counts[what] += 1
  counts.minutes += work.minutes ?? usualMinutes[work.media] ?? 0
  if (dated.year !== undefined) countIn(counts.years, dated.year)[what] += 1
  if (dated.month !== undefined) countIn(counts.months, dated.month)[what] += 1
  if (dated.day === undefined) return
  counts.days.set(dated.day, (counts.days.get(dated.day) ?? 0) + 1)
  const hours = dated.hour === undefined ? undefined : counts.when[weekdayFromMonday(dated.day)]
  if (hours !== undefined && dated.hour !== undefined) hours[dated.hour] = (hours[dated.hour] ?? 0) + 1
}

function countIn(counts: Map<number, Count>, key: number): Count {
  const known = counts.get(key)
  if (known !== undefined) return known
  const count = { episodes: 0, films: 0 }
  counts.set(key, count)
  return count
}

/** 1970-01-01 was a Thursday. */
export const weekdayFromMonday = (day: number): number => (((day + 3) % 7) + 7) % 7

/** As a partial date (D71); undefined if nothing is known. */
export function dateText({ year, month, day }: Dated): string | undefined {
  if (day !== undefined) return new Date(day * dayLength).toISOString().slice(0, 10)
  if (month !== undefined) return monthText(month)
  return year === undefined ? undefined : String(year)
}
