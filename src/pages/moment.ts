import { wallClock } from '../lib/local-time'
import { isoTime } from '../lib/time'
import type { Messages } from '../messages/en'
import { html, type Markup } from './html'
import type { PageContext } from './layout'
import { formatDay, type ReaderTime, readerTime } from './local-format'

type Reader = Pick<PageContext, 't' | 'now' | 'preferences'>

/** When something happened to an account, token or session: `yesterday at 21:03`. `at`: epoch milliseconds. */
export function moment(reader: Reader, at: number | null, fallback = ''): Markup {
  if (at === null) return html`${fallback}`
  const wall = wallOf(reader, at)
  const days = Math.floor(wall / dayLength) - Math.floor(wallOf(reader, reader.now) / dayLength)
  const { t } = reader
  return timeElement(reader, at, Math.abs(days) <= 1 ? nearby(t, days, wall) : formatWall(t, wall, both))
}

/** `1 Apr 2026` */
export const day = (reader: Reader, at: number): Markup =>
  html`<time datetime="${isoTime(at)}" title="${exactTime(reader, at)}" data-day>${formatWall(reader.t, wallOf(reader, at), date)}</time>`

/**
 * When an episode airs or was watched. `when`: `tonight 23:00`, `Sat 18:00`, `9 May, 24:26`; `since`: `since yesterday`,
 * for what can be watched from then on; `clock`: `24:26`, if the day is given elsewhere. `at`: epoch milliseconds.
 */
export function timeMarkup(reader: Reader, at: number, style: TimeStyle = 'when'): Markup {
  const time = readerTime(reader, at)
  const days = time.dayNumber - readerTime(reader, reader.now).dayNumber
  return timeElement(reader, at, words[style](reader, time, days, at))
}

export type TimeStyle = 'when' | 'since' | 'clock'

const words: Readonly<
  Record<TimeStyle, (reader: Reader, time: ReaderTime, days: number, at: number) => string>
> = {
  when: whenWords,
  since: sinceWords,
  clock: (_, { clock }) => clock,
}

function whenWords(reader: Reader, time: ReaderTime, days: number, at: number): string {
  const { t } = reader
  const { clock, hour, dayNumber } = time
  const isTonight = at > reader.now && (hour >= 18 || hour < 5)
  if (days === 0) return isTonight ? t.time.tonight(clock) : t.time.today(clock)
  if (days === 1) return t.time.tomorrow(clock)
  if (days === -1) return t.time.yesterday(clock)
  if (Math.abs(days) < 7 && days > 0)
    return t.time.onWeekday(formatDay(reader, dayNumber, 'shortWeekday'), clock)
  return t.time.onDay(nearDay(reader, time), clock)
}

function sinceWords(reader: Reader, time: ReaderTime, days: number): string {
  const { t } = reader
  if (days === 0) return t.time.sinceToday
  if (days === -1) return t.time.sinceYesterday
  if (days < 0 && days > -7) return t.time.since(formatDay(reader, time.dayNumber, 'weekday'))
  return t.time.since(nearDay(reader, time))
}

function nearDay(reader: Reader, { year, dayNumber }: ReaderTime): string {
  const isThisYear = year === readerTime(reader, reader.now).year
  return formatDay(reader, dayNumber, isThisYear ? 'day' : 'dayAndYear')
}

/** While the reader's zone is unknown, the time is in UTC and says so; the script converts it. */
function timeElement(reader: Reader, at: number, text: string): Markup {
  const suffix = reader.preferences.timeZone === 'UTC' ? ' UTC' : ''
  return html`<time datetime="${isoTime(at)}" title="${exactTime(reader, at)}">${text}${suffix}</time>`
}

/** `yesterday at 21:03`. */
function nearby(t: Messages, days: number, wall: number): string {
  const name = new Intl.RelativeTimeFormat(t.language.locale, { numeric: 'auto' }).format(days, 'day')
  return t.language.dayAndTime(name, formatWall(t, wall, clock))
}

const dayLength = 86_400_000
const date = { dateStyle: 'medium' } as const
const clock = { timeStyle: 'short' } as const
const both = { ...date, ...clock } as const

const wallOf = ({ preferences }: Reader, at: number): number => wallClock(at, preferences.timeZone)

const formatWall = (t: Messages, wall: number, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(t.language.locale, { ...options, timeZone: 'UTC' }).format(wall)

const exactTime = (reader: Reader, at: number) =>
  `${isoTime(wallOf(reader, at)).slice(0, 19).replace('T', ' ')} ${reader.preferences.timeZone}`
