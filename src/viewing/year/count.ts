import { type Period, yearPeriod } from '../../library/counting/period'
import { readStatistics, type Statistics } from '../../library/counting/statistics'
import { type YearFigures, yearFigures } from '../../library/counting/year'
import { dayHours, readerTime } from '../../pages/local-format'
import { pageNotFound } from '../../web/problem'
import type { Visit } from '../../web/visit'
import { readerOf, type ShownUser } from '../parts/find-user'
import { type NamedWork, namedWorks } from '../stats/named-works'

/** A year, or twelve months from one on (D91): `2026`, `2025-04`. */
export interface YearOf {
  readonly user: ShownUser
  readonly period: Period
  /** As in the address. */
  readonly name: string
}

const earliest = 1950

/** The year that the path names; nothing before 1950, and nothing that has not begun. */
export function periodOf(visit: Visit, name: string): Period {
  const [, year = '', month] = /^(\d{4})(?:-(0[1-9]|1[0-2]))?$/.exec(name) ?? []
  const from = Number(year) * 12 + Number(month ?? 1) - 1
  if (year === '' || Number(year) < earliest || from > thisMonth(visit)) throw pageNotFound()
  return month === undefined ? yearPeriod(Number(year)) : { from, until: from + 11 }
}

const thisMonth = (visit: Visit): number => {
  const { year, month } = readerTime(visit, visit.now)
  return year * 12 + month - 1
}

interface Counted {
  readonly statistics: Statistics
  readonly figures: YearFigures
  /** With the covers that the reader sees. */
  readonly works: ReadonlyMap<number, NamedWork>
}

export async function countYear(visit: Visit, { user, period }: YearOf): Promise<Counted> {
  const { preferences, now, deps } = visit
  const { timeZone } = preferences
  const choice = { period, media: undefined, timeZone, dayBegins: dayHours(preferences), now }
  const statistics = await readStatistics(deps.seen, user.id, choice)
  const figures = await yearFigures(deps.seen, user.id, statistics, thisMonth(visit))
  const ends = [figures.first, figures.last].flatMap((end) => end?.work.id ?? [])
  const again = statistics.works.rewatched.slice(0, 10).map(({ work_id }) => work_id)
  const timed = statistics.plays.plays.slice(0, 10).map(({ work_id }) => work_id)
  const ids = [...new Set([...figures.best.map(({ id }) => id), ...ends, ...again, ...timed])]
  const works = await namedWorks(deps.seen, ids, readerOf(visit))
  return { statistics, figures, works: new Map(works.map((work) => [work.id, work])) }
}

/** Of one's own year, without what is private, and without hours (D91). By one's own clock. */
export async function figuresToShare(visit: Visit, userId: number, period: Period): Promise<YearFigures> {
  const { preferences, now, deps } = visit
  const { timeZone } = preferences
  const choice = { period, media: undefined, timeZone, dayBegins: dayHours(preferences), now }
  const statistics = await readStatistics(deps.seen, userId, choice, 'shareable')
  const figures = await yearFigures(deps.seen, userId, statistics, thisMonth(visit))
  return { ...figures, first: withoutTime(figures.first), last: withoutTime(figures.last) }
}

/** Those of the works that a year names, as the reader sees them. */
export async function coversOf(
  visit: Visit,
  { best, first, last }: YearFigures,
): Promise<ReadonlyMap<number, NamedWork>> {
  const ids = [...best.map(({ id }) => id), ...[first, last].flatMap((end) => end?.work.id ?? [])]
  const works = await namedWorks(visit.deps.seen, [...new Set(ids)], readerOf(visit))
  return new Map(works.map((work) => [work.id, work]))
}

const withoutTime = (end: YearFigures['first']) => end && { ...end, minute: null }
