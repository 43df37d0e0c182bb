import { type Count, monthOfDay } from '../../library/counting/count-plays'
import { html, type Markup } from '../../pages/html'
import { type DayFormat, formatDay } from '../../pages/local-format'
import type { Visit } from '../../web/visit'
import { dayLength } from '../diary/month'
import { type Bar, columnChart, fewest, hourChart } from './charts'
import { few, type PartsView, part } from './part'

/** Months, of periods longer than two years their years. */
export function timeline(view: PartsView): Markup {
  const { plays, choice } = view.statistics
  const counts =
    choice.period === undefined || choice.period.until - choice.period.from >= 24 ? plays.years : plays.months
  const name = counts === plays.years ? 'years' : 'months'
  const number = sumOf(counts.values())
  if (number === 0) return html``
  const { t } = view.visit
  const title = name === 'years' ? t.stats.byYear : t.stats.byMonth
  if (number < fewest) {
    const works = plays.plays.map(({ work_id }) => work_id)
    return part(title, '', few(view, name, works))
  }
  return part(title, '', name === 'years' ? yearChart(view, counts) : monthChart(view, title))
}

const sumOf = (counts: Iterable<Count>) =>
  [...counts].reduce((sum, { episodes, films }) => sum + episodes + films, 0)
const barOf = ({ episodes, films }: Count = { episodes: 0, films: 0 }) => ({
  count: episodes + films,
  more: [episodes, films],
})

/** Of the period, as far as it has begun. */
function monthChart({ visit, statistics }: PartsView, title: string): Markup {
  const { plays, choice } = statistics
  const { from = 0, until = 0 } = choice.period ?? {}
  const now = monthOfDay(Math.floor(choice.now / dayLength))
  const last = Math.max(Math.min(until, now), ...plays.months.keys())
  const months = Array.from({ length: last - from + 1 }, (_, at) => from + at)
  const text = (month: number, format: DayFormat) =>
    formatDay(visit, Date.UTC(Math.floor(month / 12), month % 12) / dayLength, format)
  const bars = months.map((month): Bar => {
    const { count, more } = barOf(plays.months.get(month))
    const label = visit.t.stats.monthLabel(text(month, 'shortMonth'))
    return { label, name: html`${text(month, 'month')}`, count, more }
  })
  const narrow = months.map((month) => visit.t.stats.narrowMonth(text(month, 'shortMonth')))
  const best = months.find(
    (month) => barOf(plays.months.get(month)).count === Math.max(...bars.map(({ count }) => count)),
  )
  const sentence =
    best === undefined
      ? ''
      : mostIn(
          visit,
          text(best, choice.period !== undefined && until - from < 12 ? 'longMonth' : 'month'),
          plays.months.get(best),
        )
  const { t } = visit
  const heads = [t.profilePage.month, t.stats.together, t.stats.episodesHead, t.stats.filmsHead]
  return html`<p>${sentence}</p>${columnChart(visit, { name: 'months', title, sentence, bars, narrow, heads })}`
}

const mostIn = ({ t }: Visit, when: string, { episodes, films }: Count = { episodes: 0, films: 0 }) =>
  t.stats.most(when, t.diary.counts(episodes, films))

function yearChart({ visit, statistics }: PartsView, counts: ReadonlyMap<number, Count>): Markup {
  const { t } = visit
  const first = Math.min(...counts.keys())
  const years = Array.from({ length: Math.max(...counts.keys()) - first + 1 }, (_, at) => first + at)
  const bars = years.map(
    (year): Bar => ({
      ...barOf(counts.get(year)),
      label: String(year),
      name: html`<a href="?year=${year}${statistics.choice.media === undefined ? '' : `&media=${statistics.choice.media}`}">${year}</a>`,
    }),
  )
  const narrow = years.map((year) => (years.length > 8 ? `’${String(year).slice(2)}` : String(year)))
  const best = bars.toSorted((one, other) => other.count - one.count)[0]
  const sentence =
    best === undefined
      ? ''
      : mostIn(visit, t.seasons.year(Number(best.label)), counts.get(Number(best.label)))
  const heads = [t.stats.yearHead, t.stats.together, t.stats.episodesHead, t.stats.filmsHead]
  return html`<p>${sentence}</p>${columnChart(visit, { name: 'years', title: t.stats.byYear, sentence, bars, narrow, heads })}`
}

/** Shown to their owner alone: it tells when somebody is at home. */
export function hours(view: PartsView): Markup {
  const { visit, statistics } = view
  const { t } = visit
  const { when, plays } = statistics.plays
  const number = when.flat().reduce((sum, count) => sum + count, 0)
  if (number === 0) return html``
  if (number < fewest) {
    const timed = plays.flatMap(({ hour, work_id }) => (hour === undefined ? [] : work_id))
    return part(t.stats.when, '', few(view, 'when', timed))
  }
  // From 6:00, in pairs.
  const cells = when.map((day) =>
    Array.from({ length: 12 }, (_, at) => (day[(6 + at * 2) % 24] ?? 0) + (day[(7 + at * 2) % 24] ?? 0)),
  )
  const most = Math.max(...cells.flat())
  const weekday = cells.findIndex((row) => row.includes(most))
  const at = cells[weekday]?.indexOf(most) ?? 0
  const monday = 4
  const name = (day: number, format: DayFormat) => formatDay(visit, monday + day, format)
  const sentence = t.stats.mostly(
    name(weekday, 'weekday'),
    clockOf(visit, 6 + at * 2),
    clockOf(visit, 8 + at * 2),
  )
  const names = Array.from({ length: 7 }, (_, day) => name(day, 'shortWeekday'))
  const chart = {
    title: t.stats.when,
    sentence,
    cells,
    weekdays: names,
    hours: cells[0]?.map((_, column) => clockOf(visit, 6 + column * 2)) ?? [],
  }
  return part(t.stats.when, '', html`<p>${sentence}</p>${hourChart(visit, chart)}`)
}

/** Hours up to 29:59 are for whom they belong to the evening. */
const clockOf = ({ preferences }: Visit, hour: number) => `${preferences.hasLongNights ? hour : hour % 24}:00`
