import { isRealDate } from '../../lib/instant'
import { dateOfDay, dayNumberOf, nextWeekday, weekdayOfDay } from '../../library/showings/own-slot'
import { readerTime } from '../../pages/local-format'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, queryText } from '../../web/visit'

export type CalendarSpan = 'day' | 'week' | 'month'

/** Days since 1970-01-01. */
export interface CalendarView {
  readonly span: CalendarSpan
  /** The last part of its address. */
  readonly name: string
  readonly first: number
  readonly last: number
  /** Of a month: its own days, without those that fill its weeks. */
  readonly own: { readonly first: number; readonly last: number }
  readonly today: number
}

const daysBack = 90
const daysAhead = 400

/** `2026-W47`, `2026-11-19`, `2026-11`; this week without a name. Not found beyond what the calendar shows. */
export function viewOf(visit: MemberVisit, name: string | undefined): CalendarView {
  const today = readerTime(visit, visit.now).dayNumber
  const { weekStart } = visit.preferences
  const view = name === undefined ? weekAround(today, weekStart, today) : named(name, weekStart, today)
  if (view === undefined || view.own.last < today - daysBack || view.own.first > today + daysAhead)
    throw pageNotFound()
  return view
}

function named(name: string, weekStart: number, today: number): CalendarView | undefined {
  const [, year, week] = /^(\d{4})-W(\d\d)$/.exec(name) ?? []
  if (year !== undefined && week !== undefined) {
    const thursday = thursdayOf(Number(year), Number(week))
    return thursday === undefined ? undefined : weekAround(thursday, weekStart, today)
  }
  if (/^\d{4}-\d\d$/.test(name)) return isRealDate(`${name}-01`) ? monthOf(name, weekStart, today) : undefined
  return isRealDate(name) ? dayOf(dayNumberOf(name), today) : undefined
}

/** The Thursday of an ISO week; undefined if the year has no such week. */
function thursdayOf(year: number, week: number): number | undefined {
  const thursday = nextWeekday(dayNumberOf(`${String(year).padStart(4, '0')}-01-01`), 4) + 7 * (week - 1)
  return week > 0 && yearOf(thursday) === year ? thursday : undefined
}

const yearOf = (day: number) => Number(dateOfDay(day).slice(0, 4))

const startOfWeek = (day: number, weekStart: number) => day - ((weekdayOfDay(day) - weekStart + 7) % 7)

/** The seven days from the reader's week start that the day is in, named after the ISO week of their Thursday. */
function weekAround(day: number, weekStart: number, today: number): CalendarView {
  const first = startOfWeek(day, weekStart)
  const thursday = nextWeekday(first, 4)
  const year = yearOf(thursday)
  const name = `${year}-W${String(weekNumber(thursday)).padStart(2, '0')}`
  const own = { first, last: first + 6 }
  return { span: 'week', name, ...own, own, today }
}

export const weekNumber = (thursday: number): number =>
  Math.floor((thursday - dayNumberOf(`${dateOfDay(thursday).slice(0, 4)}-01-01`)) / 7) + 1

const dayOf = (day: number, today: number): CalendarView => ({
  ...{ span: 'day', name: dateOfDay(day), first: day, last: day, own: { first: day, last: day }, today },
})

function monthOf(name: string, weekStart: number, today: number): CalendarView {
  const first = dayNumberOf(`${name}-01`)
  const last = dayNumberOf(`${monthAfter(first)}-01`) - 1
  const begin = startOfWeek(first, weekStart)
  const end = startOfWeek(last, weekStart) + 6
  return { span: 'month', name, first: begin, last: end, own: { first, last }, today }
}

/** `2026-12` for a day in November 2026. */
const monthAfter = (day: number) => dateOfDay(dayNumberOf(`${dateOfDay(day).slice(0, 7)}-28`) + 4).slice(0, 7)

/** The name of the view before or after; undefined beyond what the calendar shows. */
export function neighbourOf(
  { span, own, today }: CalendarView,
  weekStart: number,
  by: 1 | -1,
): string | undefined {
  const day = by === 1 ? own.last + 1 : own.first - 1
  if (day < today - daysBack || day > today + daysAhead) return undefined
  return nameOf(span, day, weekStart)
}

/** Of the day, week or month that a day is in. */
export function nameOf(span: CalendarSpan, day: number, weekStart: number): string {
  if (span === 'week') return weekAround(day, weekStart, day).name
  return dateOfDay(day).slice(0, span === 'day' ? 10 : 7)
}

export const media = ['tv', 'movie', 'web', 'ova', 'other'] as const

/** What the query says: whose works, on which channels, of which medium. */
export interface CalendarChoice {
  readonly of: 'mine' | 'all'
  readonly on: 'mine' | 'all'
  readonly medium: (typeof media)[number] | ''
}

/** Unknown values are ignored. */
export const choiceOf = (visit: MemberVisit): CalendarChoice => ({
  of: queryText(visit, 'of') === 'all' ? 'all' : 'mine',
  on: queryText(visit, 'on') === 'all' ? 'all' : 'mine',
  medium: media.find((one) => one === queryText(visit, 'medium')) ?? '',
})

/** `/calendar/2026-W47?of=all`: only what differs from the default. */
export function calendarPath(name: string, choice: CalendarChoice): string {
  const { of, on, medium } = choice
  const query = new URLSearchParams({
    ...(of !== 'mine' && { of }),
    ...(on !== 'mine' && { on }),
    ...(of === 'all' && medium && { medium }),
  })
  return `/calendar${name === '' ? '' : `/${name}`}${query.size === 0 ? '' : `?${query}`}`
}
