import { html, type Markup } from '../../pages/html'
import { spriteIcon } from '../../pages/icons'
import { formatDay, readerTime } from '../../pages/local-format'
import { chosenTitle, type Titles } from '../../pages/title'
import type { MemberVisit } from '../../web/visit'
import { workPath } from '../parts/cover'
import type { Calendar, CalendarDay, CalendarEntry, UntimedWork } from './calendar'
import { entryPath, stateOf } from './entry'
import { type CalendarChoice, type CalendarView, calendarPath, nameOf } from './view'

interface Month {
  readonly calendar: Calendar
  readonly view: CalendarView
  readonly choice: CalendarChoice
  /** The day whose list is below the month on a phone. */
  readonly chosen: number
}

/** Seven columns; a phone shows marks in place of the lines. */
export function monthTable(visit: MemberVisit, month: Month): Markup {
  const { days } = month.calendar
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
  const weekdays = days.slice(0, 7).map(({ day }) => {
    const sunday = isSunday(day) ? html` class="sunday"` : ''
    return html`<th scope="col"${sunday}><abbr title="${formatDay(visit, day, 'weekday')}">${formatDay(visit, day, 'shortWeekday')}</abbr></th>`
  })
  return html`<table class="dense calendar-month"><thead><tr>${weekdays}</tr></thead><tbody>${weeks.map(
    (week) => html`<tr>${week.map((day) => cell(visit, month, day))}</tr>`,
  )}</tbody></table>`
}

export const isSunday = (day: number) => (day + 4) % 7 === 0

const mostLines = 4

function cell(visit: MemberVisit, month: Month, of: CalendarDay): Markup {
  const { t, basePath } = visit
  const { view, choice, chosen } = month
  const { day, entries, releases, habits } = of
  const name = formatDay(visit, day, 'day')
  const path = basePath + calendarPath(nameOf('day', day, 0), choice)
  const lines = [
    ...releases.map(
      (work) =>
        html`<li class="release" data-work="${work.id}"><a href="${workPath(visit, work.id)}"><em>${t.calendar.released}</em>${shortTitle(visit, work)}</a></li>`,
    ),
    ...entries.map((entry) => line(visit, entry)),
    ...habits.flatMap((habit) => habitLine(visit, habit)),
  ]
  const shown = lines.length > mostLines ? lines.slice(0, mostLines - 1) : lines
  const rest = lines.length - shown.length
  const more =
    rest === 0
      ? ''
      : html`<a class="more" href="${path}" aria-label="${t.calendar.moreOn(name, rest)}">${t.calendar.more(rest)}</a>`
  const kinds = [
    ...(day < view.own.first || day > view.own.last ? ['other'] : []),
    ...(day === chosen ? ['picked'] : []),
    ...(isSunday(day) ? ['sunday'] : []),
  ]
  const today = day === view.today ? html` aria-current="date"` : ''
  const number = Number(nameOf('day', day, 0).slice(8))
  return html`<td data-day="${nameOf('day', day, 0)}" class="${kinds.join(' ')}"${today}><a class="number" href="${path}" aria-label="${name}">${number}</a>${day === view.today ? html`<em class="today">${t.calendar.today}</em>` : ''}<a class="pick" href="${pickPath(visit, month, day)}" aria-label="${dayName(visit, of)}">${number}${dots(visit, entries)}</a>${shown.length === 0 ? '' : html`<ul>${shown}</ul>`}${more}</td>`
}

function pickPath({ basePath }: MemberVisit, { view, choice }: Month, day: number): string {
  const path = calendarPath(view.name, choice)
  return `${basePath}${path}${path.includes('?') ? '&' : '?'}day=${nameOf('day', day, 0)}#day`
}

function line(visit: MemberVisit, entry: CalendarEntry): Markup {
  const { work, kind, episode, clock } = entry
  const state = stateOf(visit, entry)
  const time =
    state === 'recorded'
      ? html`<span class="state seen">${spriteIcon('check')}<span class="unseen">${visit.t.calendar.recorded}</span></span>`
      : html`<b${look(visit, kind, state)}>${clock}</b>`
  const of = episode === undefined ? '' : html` data-episode="${episode.id}"`
  return html`<li${state === 'recorded' ? html` class="recorded"` : ''} data-entry data-work="${work.id}" data-kind="${kind}"${of}><a href="${entryPath(visit, entry)}">${time}${shortTitle(visit, work)}</a></li>`
}

/** The day's list has the button that makes it one's own. */
function habitLine(visit: MemberVisit, { work, habit }: UntimedWork): readonly Markup[] {
  if (habit === undefined) return []
  const { dayNumber, clock } = readerTime(visit, habit.at)
  const when = visit.t.slot.habitually(formatDay(visit, dayNumber, 'shortWeekday'), clock)
  return [
    html`<li data-entry data-work="${work.id}" data-kind="habit"><a href="${workPath(visit, work.id)}"><b class="rule" title="${visit.t.calendar.usually(when)}">${clock}</b>${shortTitle(visit, work)}</a></li>`,
  ]
}

const look = ({ t }: MemberVisit, kind: string, state: string): Markup | '' => {
  if (kind === 'rule') return html` class="rule" title="${t.calendar.estimated}"`
  return state === 'aired' ? html` class="open"` : ''
}

/** A column has room for no more. */
function shortTitle(visit: MemberVisit, titles: Titles): Markup {
  const { text, lang } = chosenTitle(visit, titles)
  const characters = [...text]
  const cut = characters.length > mostLetters ? `${characters.slice(0, mostLetters).join('')}…` : text
  return html`<span lang="${lang}">${cut}</span>`
}

const mostLetters = 12

/** `19 Nov: some not recorded`. */
function dayName(visit: MemberVisit, { day, entries }: CalendarDay): string {
  const { t } = visit
  const name = formatDay(visit, day, 'day')
  if (entries.length === 0) return name
  const states = entries.map((entry) => stateOf(visit, entry))
  const coming = states.filter((state) => state === 'coming').length
  const words = [
    ...(states.includes('aired') ? [t.calendar.openOn] : []),
    ...(coming > 0 ? [t.calendar.toCome(coming)] : []),
    ...(states.every((state) => state === 'recorded') ? [t.calendar.doneOn] : []),
  ]
  return `${name}${t.common.colon}${words.join(' · ')}`
}

/** ✓ if all is recorded, a dot if something is open, else up to three rings for what is to come. */
export function dots(visit: MemberVisit, entries: readonly CalendarEntry[]): Markup | '' {
  if (entries.length === 0) return ''
  const states = entries.map((entry) => stateOf(visit, entry))
  if (states.includes('aired')) return html`<i class="dot"></i>`
  const coming = states.filter((state) => state === 'coming').length
  if (coming === 0) return spriteIcon('check')
  return html`<i class="rings">${Array.from({ length: Math.min(3, coming) }, () => html`<i></i>`)}</i>`
}
