import { dateOfDay, nextWeekday } from '../../library/showings/own-slot'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { formatDay } from '../../pages/local-format'
import type { MemberVisit } from '../../web/visit'
import { mediumName } from '../work/facts'
import {
  type CalendarChoice,
  type CalendarSpan,
  type CalendarView,
  calendarPath,
  media,
  nameOf,
  neighbourOf,
  weekNumber,
} from './view'

/** Title, whose works, how long a span, and the way to the ones before and after. */
export function calendarHead(
  visit: MemberVisit,
  view: CalendarView,
  choice: CalendarChoice,
): { readonly title: string; readonly head: Markup } {
  const { t } = visit
  const title = titleOf(visit, view)
  const thursday = nextWeekday(view.first, 4)
  const week =
    view.span === 'week'
      ? html` <small>${t.calendar.weekOf(Number(dateOfDay(thursday).slice(0, 4)), weekNumber(thursday))}</small>`
      : ''
  const head = html`<div class="head">
      <h1>${title}${week}</h1>
      <details class="menu spans" name="menu"><summary aria-label="${t.calendar.spans}">${icon('down')}</summary><div class="entries">${spans(visit, view, choice)}<hr />${whose(visit, view, choice)}</div></details>
      <nav class="segments on-desk" aria-label="${t.calendar.works}">${whose(visit, view, choice)}</nav>
      <nav class="segments on-desk" aria-label="${t.calendar.spans}">${spans(visit, view, choice)}</nav>
      ${moves(visit, view, choice)}
    </div>${choice.of === 'all' ? mediaChips(visit, view, choice) : ''}`
  return { title: `${title} · ${t.calendar.title}`, head }
}

function titleOf(visit: MemberVisit, { span, first, last, own }: CalendarView): string {
  if (span === 'month') return formatDay(visit, own.first, 'month')
  if (span === 'day') return formatDay(visit, first, 'dayAndYear')
  const parts = (day: number) =>
    [Number(dateOfDay(day).slice(8)), formatDay(visit, day, 'shortMonth')] as const
  return visit.t.calendar.range(parts(first), parts(last))
}

function spans(visit: MemberVisit, view: CalendarView, choice: CalendarChoice): readonly Markup[] {
  const { t, basePath, preferences } = visit
  const isNow = view.today >= view.own.first && view.today <= view.own.last
  const day = isNow ? view.today : view.own.first
  const link = (span: CalendarSpan) => {
    const name = span === view.span ? view.name : nameOf(span, day, preferences.weekStart)
    return html`<a href="${basePath}${calendarPath(name, choice)}"${span === view.span ? html` aria-current="page"` : ''}>${t.calendar[span]}</a>`
  }
  return [link('day'), link('week'), link('month')]
}

function whose({ t, basePath }: MemberVisit, { name }: CalendarView, choice: CalendarChoice) {
  return (['mine', 'all'] as const).map(
    (of) =>
      html`<a href="${basePath}${calendarPath(name, { ...choice, of })}"${of === choice.of ? html` aria-current="true"` : ''}>${t.calendar[of]}</a>`,
  )
}

function moves(
  { t, basePath, preferences }: MemberVisit,
  view: CalendarView,
  choice: CalendarChoice,
): Markup {
  const { weekStart } = preferences
  const link = (by: 1 | -1) => {
    const name = neighbourOf(view, weekStart, by)
    if (name === undefined) return ''
    const [rel, key, text, sign] =
      by === 1
        ? ['next', ']', t.calendar.next, 'next' as const]
        : ['prev', '[', t.calendar.previous, 'back' as const]
    return html`<a href="${basePath}${calendarPath(name, choice)}" rel="${rel}" data-keys="${key}" aria-label="${text}">${icon(sign, 16)}</a>`
  }
  const today = view.span === 'week' ? '' : nameOf(view.span, view.today, weekStart)
  return html`<nav class="segments moves" aria-label="${t.calendar.moves}">${link(-1)}<a href="${basePath}${calendarPath(today, choice)}" data-keys="t">${t.calendar.today}</a>${link(1)}</nav>`
}

function mediaChips(visit: MemberVisit, { name }: CalendarView, choice: CalendarChoice): Markup {
  const { t, basePath } = visit
  const chip = (medium: CalendarChoice['medium']) =>
    html`<a class="chip" href="${basePath}${calendarPath(name, { ...choice, medium })}"${medium === choice.medium ? html` aria-current="true"` : ''}>${medium === '' ? t.calendar.allMedia : mediumName(visit, medium)}</a>`
  return html`<nav class="chips" aria-label="${t.calendar.media}">${['' as const, ...media].map(chip)}</nav>`
}
