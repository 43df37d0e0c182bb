import { html, type Markup } from '../../pages/html'
import { formatDay } from '../../pages/local-format'
import type { MemberVisit } from '../../web/visit'
import { heatOf } from './days'
import type { MonthOfDiary } from './month'

/** The days of a month, each with its number of entries and a link. `pathOf`: the path of a day that has entries. */
export function monthGrid(
  visit: MemberVisit,
  { days, counts }: MonthOfDiary,
  pathOf: (day: number) => string,
): Markup {
  const { t, preferences } = visit
  const before = (weekdayOf(days.first) - preferences.weekStart + 7) % 7
  const cells = Array.from({ length: before }, () => html`<td></td>`)
  for (let day = days.first; day <= days.last; day += 1) {
    const count = counts.get(day) ?? 0
    const date = day - days.first + 1
    const name = t.diary.dayCount(formatDay(visit, day, 'day'), count)
    cells.push(
      count === 0
        ? html`<td><span class="day">${date}</span></td>`
        : html`<td><a class="day heat-${heatOf(count)}" href="${pathOf(day)}" aria-label="${name}">${date}</a></td>`,
    )
  }
  const weekdays = Array.from({ length: 7 }, (_, index) => days.first - before + index)
  return html`<section class="month" aria-labelledby="by-day"><h2 id="by-day">${t.diary.byDay}</h2>
    <table class="dense"><thead><tr>${weekdays.map(
      (day) => html`<th scope="col">${formatDay(visit, day, 'shortWeekday')}</th>`,
    )}</tr></thead>
    <tbody>${rowsOf(cells)}</tbody></table></section>`
}

function rowsOf(cells: readonly Markup[]): readonly Markup[] {
  const rows = Array.from({ length: Math.ceil(cells.length / 7) }, (_, row) =>
    cells.slice(row * 7, row * 7 + 7),
  )
  return rows.map((row) => html`<tr>${row}</tr>`)
}

/** 0 is Sunday: 1970-01-01 was a Thursday. */
export const weekdayOf = (dayNumber: number): number => (((dayNumber + 4) % 7) + 7) % 7
