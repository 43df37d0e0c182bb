import { html, type Markup } from '../../pages/html'
import { formatDay, readerTime } from '../../pages/local-format'
import type { Visit } from '../../web/visit'
import { diaryPath } from '../diary/head'
import { countByDay, type Days, dayLength, daysBetween, heatOf, weekdayOf } from '../diary/month'
import { watchedBetween } from '../diary/queries'
import type { ShownUser } from '../parts/find-user'

const weeks = 53
/** A phone shows only the last weeks. */
const weeksOfPhone = 15

/** What was watched on each day of the last 53 weeks, if the day is known. */
export interface YearOfDays {
  readonly days: Days
  readonly counts: ReadonlyMap<number, number>
  readonly total: number
}

export async function yearOfDays(visit: Visit, user: ShownUser): Promise<YearOfDays> {
  const { deps, preferences, now } = visit
  const today = readerTime(visit, now).dayNumber
  const inWeek = (weekdayOf(today) - preferences.weekStart + 7) % 7
  const days = daysBetween(preferences, today - inWeek - (weeks - 1) * 7, today)
  const { from, until } = days
  const counts = countByDay(days, await watchedBetween(deps.seen, { user: user.id, from, until }))
  return { days, counts, total: [...counts.values()].reduce((sum, count) => sum + count, 0) }
}

/**
 * Two drawings of the same size: one is described by a single sentence, the other has a link per day with entries,
 * hidden from keyboards and screen readers, which use the table.
 */
export function heatMap(visit: Visit, user: ShownUser, year: YearOfDays): Markup {
  const { t } = visit
  const { days, counts, total } = year
  const sentence = t.profilePage.heatSentence(total, counts.size)
  return html`<section class="heat" aria-labelledby="by-day">
    <div class="head"><h2 id="by-day">${t.diary.byDay} <small>${sentence}</small></h2>${legend(visit)}</div>
    <div class="heat-map"><div class="weekdays" aria-hidden="true">${weekdays(visit, days)}</div>
    <div class="weeks"><svg role="img" aria-label="${sentence}" width="1060" height="164">${grid(days)}${monthNames(visit, days)}</svg>
    <svg class="cells" aria-hidden="true" width="1060" height="164">${cells(visit, user, year)}</svg></div></div>
    ${asTable(visit, user, year)}</section>`
}

/** Every other weekday, next to its row. */
const weekdays = (visit: Visit, { first }: Days): readonly Markup[] =>
  [0, 2, 4].map((row) => html`<span>${formatDay(visit, first + row, 'narrowWeekday')}</span>`)

function legend({ t }: Visit): Markup {
  const boxes = [0, 1, 2, 3].map((heat) => html`<i class="heat-${heat}"></i>`)
  return html`<p class="meta legend" aria-hidden="true">${t.profilePage.fewer} ${boxes} ${t.profilePage.more}</p>`
}

const top = 24
const step = 20
const columnOf = ({ first }: Days, day: number) => Math.floor((day - first) / 7) * step
const weekdayTop = ({ first }: Days, day: number) => top + ((day - first) % 7) * step

/** Empty cells: full weeks, and the days of this week so far. */
function grid(days: Days): Markup {
  const last = columnOf(days, days.last)
  const height = weekdayTop(days, days.last) - top + step
  return html`<defs><pattern id="cell" width="20" height="20" y="${top}" patternUnits="userSpaceOnUse"><rect x=".5" y=".5" width="15" height="15" rx="3"/></pattern></defs><rect fill="url(#cell)" y="${top}" width="${last}" height="140"/><rect fill="url(#cell)" x="${last}" y="${top}" width="20" height="${height}"/>`
}

/** Above the first week that begins in a month, unless the previous name is too close. */
function monthNames(visit: Visit, days: Days): readonly Markup[] {
  const names: Markup[] = []
  let [named, at] = [monthOfDay(days.first), -2 * step]
  for (let day = days.first; day <= days.last; day += 7) {
    const column = columnOf(days, day)
    if (monthOfDay(day) === named) continue
    named = monthOfDay(day)
    if (column - at < 2 * step || column > (weeks - 2) * step) continue
    at = column
    const isEarly = column < (weeks - weeksOfPhone) * step
    names.push(
      html`<text x="${column}" y="14"${isEarly ? html` class="early"` : ''}>${formatDay(visit, day, 'shortMonth')}</text>`,
    )
  }
  return names
}

const monthOfDay = (day: number) => new Date(day * dayLength).getUTCMonth()

const cells = (visit: Visit, user: ShownUser, { days, counts }: YearOfDays): readonly Markup[] =>
  [...counts].map(
    ([day, count]) =>
      html`<a href="${dayPath(visit, user, day)}" tabindex="-1"><rect class="heat-${heatOf(count)}" x="${columnOf(days, day)}" y="${weekdayTop(days, day)}"/></a>`,
  )

function dayPath(visit: Visit, user: ShownUser, day: number): string {
  const date = new Date(day * dayLength)
  const month = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 }
  return `${diaryPath(visit, user, month)}#day-${date.getUTCDate()}`
}

/** By month, latest first. */
function asTable(visit: Visit, user: ShownUser, { days, counts }: YearOfDays): Markup {
  const { t } = visit
  const byMonth = Map.groupBy([...counts], ([day]) => new Date(day * dayLength).toISOString().slice(0, 7))
  const rows = [...byMonth]
    .sort(([one], [other]) => (one < other ? 1 : -1))
    .map(([, some]) => {
      const [day = days.first] = some[0] ?? []
      const entries = some.reduce((sum, [, count]) => sum + count, 0)
      const name = formatDay(visit, day, 'month')
      return html`<tr><th scope="row"><a href="${dayPath(visit, user, day).replace(/#.*/, '')}">${name}</a></th><td>${entries}</td><td>${some.length}</td></tr>`
    })
  if (rows.length === 0) return html``
  return html`<details class="as-table"><summary>${t.profilePage.asTable}</summary><table class="dense"><thead><tr><th scope="col">${t.profilePage.month}</th><th scope="col">${t.profilePage.watched}</th><th scope="col">${t.profilePage.daysHead}</th></tr></thead><tbody>${rows}</tbody></table></details>`
}
