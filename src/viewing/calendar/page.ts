import { sql } from 'kysely'
import { isStation } from '../../catalogue/shown'
import { prepared, type SlotOf } from '../../db/prepared'
import { isRealDate } from '../../lib/instant'
import { dateOfDay, dayNumberOf } from '../../library/showings/own-slot'
import { html, type Markup } from '../../pages/html'
import { sprite, waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { formatDay } from '../../pages/local-format'
import { cityOf } from '../../pages/zone-options'
import { definePage, member } from '../../web/page'
import { type MemberVisit, queryText } from '../../web/visit'
import { type Calendar, type CalendarDay, type CalendarEntry, calendarOf } from './calendar'
import { type EntryParts, entryRow, habitRow, releaseRow, untimedRow } from './entry'
import { calendarHead } from './head'
import { dots, isSunday, monthTable } from './month'
import { type CalendarChoice, type CalendarView, calendarPath, choiceOf, viewOf } from './view'

/** Broadcasts of one's own works, or of all: this week, or the day, week or month in the address (D82). */
export const calendarPages = [
  definePage({ path: '/calendar', access: member, show: (visit) => showCalendar(visit) }),
  definePage({
    path: '/calendar/:when',
    access: member,
    show: (visit) => showCalendar(visit, visit.params.when),
  }),
]

async function showCalendar(visit: MemberVisit, name?: string): Promise<PageContent> {
  const view = viewOf(visit, name)
  const choice = choiceOf(visit)
  const calendar = await calendarOf(visit, view, choice)
  const { title, head } = calendarHead(visit, view, choice)
  const shown =
    view.span === 'month' ? monthPart(visit, calendar, view, choice) : daysPart(visit, calendar, view, choice)
  const main = html`${sprite('check')}<div class="calendar" id="calendar">
    ${head}${shown}${untimedPart(visit, calendar)}${elsewherePart(visit, calendar, view, choice)}${await footer(visit)}
  </div>`
  return { title, main, place: 'track' }
}

function daysPart(
  visit: MemberVisit,
  calendar: Calendar,
  view: CalendarView,
  choice: CalendarChoice,
): Markup {
  const strip = view.span === 'week' ? dayStrip(visit, calendar, view) : ''
  if (calendar.days.every(isEmpty)) return html`${strip}${nothing(visit, calendar, choice)}`
  const parts = partsOf(visit, calendar, view, choice)
  const days = calendar.days.map((day) => daySection(visit, day, view, parts))
  return html`${strip}<div class="calendar-days ${view.span}">${days}</div>`
}

/** More entries than these have no covers, and buttons for what was on in the last day only: a page has 50 KB (D121). */
const mostWhole = 40
const mostButtons = 6
const dayLength = 86_400_000

/** Somebody else's works have no covers and no buttons. */
function partsOf(
  { now }: MemberVisit,
  { days }: Calendar,
  { span }: CalendarView,
  { of }: CalendarChoice,
): (entry: CalendarEntry) => EntryParts {
  const entries = days.flatMap((day) => day.entries)
  if (of === 'all') return () => ({ hasCover: false, hasButton: false })
  if (entries.length <= (span === 'month' ? mostButtons : mostWhole))
    return () => ({ hasCover: true, hasButton: true })
  const latest = entries.filter(({ at }) => at <= now && at > now - dayLength).slice(-mostButtons)
  return (entry) => ({ hasCover: false, hasButton: latest.includes(entry) })
}

const isEmpty = ({ entries, releases, habits }: CalendarDay) =>
  entries.length + releases.length + habits.length === 0

/** On a phone: the days of the week, a dot below those with something aired and not recorded. */
function dayStrip(visit: MemberVisit, { days }: Calendar, { today }: CalendarView): Markup {
  const links = days.map(({ day, entries }) => {
    const kinds = [...(isSunday(day) ? ['sunday'] : []), ...(day === today ? ['today'] : [])].join(' ')
    const hasOpen = entries.some(({ isRecorded, at }) => !isRecorded && at <= visit.now)
    return html`<a href="#d-${dateOfDay(day)}" class="${kinds}">${formatDay(visit, day, 'shortWeekday')} <b>${Number(dateOfDay(day).slice(8))}</b>${hasOpen ? dots(visit, entries) : ''}</a>`
  })
  return html`<nav class="day-strip" id="day-strip" aria-label="${visit.t.calendar.day}">${links}</nav>`
}

function daySection(
  visit: MemberVisit,
  of: CalendarDay,
  { today, span }: CalendarView,
  partsOfEntry: (entry: CalendarEntry) => EntryParts,
): Markup {
  const { t } = visit
  const { day, entries, releases, habits } = of
  const date = dateOfDay(day)
  const isToday = day === today
  const kinds = [
    ...(isSunday(day) ? ['sunday'] : []),
    ...(isEmpty(of) && day < today && span === 'week' ? ['over'] : []),
  ].join(' ')
  const list = isEmpty(of)
    ? html`<p class="soft">${t.calendar.nothing}</p>`
    : html`<ul>${releases.map((work) => releaseRow(visit, work))}${entries.map((entry) => entryRow(visit, entry, partsOfEntry(entry)))}${habits.map((habit) => habitRow(visit, habit))}</ul>`
  return html`<section id="d-${date}" data-day="${date}" class="${kinds}" aria-label="${formatDay(visit, day, 'weekdayAndDay')}"${isToday ? html` aria-current="date"` : ''}><h2><b>${Number(date.slice(8))}</b> <span>${formatDay(visit, day, 'shortWeekday')}</span>${isToday ? html`<em>${t.calendar.today}</em>` : ''}</h2>${list}</section>`
}

function monthPart(
  visit: MemberVisit,
  calendar: Calendar,
  view: CalendarView,
  choice: CalendarChoice,
): Markup {
  const chosen = chosenDay(visit, view)
  const day = calendar.days.find((one) => one.day === chosen)
  const parts = partsOf(visit, { ...calendar, days: day === undefined ? [] : [day] }, view, choice)
  const list = day === undefined ? '' : daySection(visit, day, view, parts)
  return html`${monthTable(visit, { calendar, view, choice, chosen })}<div class="calendar-days picked-day" id="day">${list}</div>`
}

/** The one in the address, else today or the month's first. */
function chosenDay(visit: MemberVisit, { first, last, own, today }: CalendarView): number {
  const date = queryText(visit, 'day')
  const day = isRealDate(date) ? dayNumberOf(date) : today
  if (day >= first && day <= last) return day
  return today >= own.first && today <= own.last ? today : own.first
}

/** No works, no known times, or nothing in these days. */
function nothing(visit: MemberVisit, { works, untimed }: Calendar, { of }: CalendarChoice): Markup {
  const { t, basePath, session } = visit
  if (of === 'mine' && works === 0)
    return html`<div class="nothing">${waves()}<h2>${t.calendar.noWorks}</h2><p>${t.calendar.noWorksExplained}</p>
      <a class="button filled" href="${basePath}/seasons/now">${t.track.toSeason}</a></div>`
  if (of === 'all' || untimed.length === 0)
    return html`<div class="nothing">${waves()}<h2>${t.calendar.nothingHere}</h2></div>`
  const sources = session.isAdmin ? html`<a href="${basePath}/admin/catalogue">${t.calendar.sources}</a>` : ''
  return html`<div class="nothing">${waves()}<h2>${t.calendar.noTimes}</h2><p>${t.calendar.noTimesExplained(untimed.length)}</p>${sources}</div>`
}

const mostUntimed = 30

function untimedPart(visit: MemberVisit, { untimed }: Calendar): Markup | '' {
  const { t } = visit
  if (untimed.length === 0) return ''
  const rest = untimed.length - mostUntimed
  return html`<section id="untimed" data-untimed aria-labelledby="untimed-title"><h2 id="untimed-title">${t.calendar.untimed} <small>${untimed.length}</small></h2>
    <ul class="rows">${untimed.slice(0, mostUntimed).map((one) => untimedRow(visit, one))}</ul>${rest > 0 ? html`<p class="meta">${t.calendar.others(rest)}</p>` : ''}</section>`
}

function elsewherePart(
  { t, basePath }: MemberVisit,
  { elsewhere }: Calendar,
  { name }: CalendarView,
  choice: CalendarChoice,
): Markup | '' {
  if (choice.on === 'all')
    return html`<p class="meta">${t.calendar.onAll} <a href="${basePath}${calendarPath(name, { ...choice, on: 'mine' })}">${t.calendar.onMine}</a></p>`
  if (elsewhere === 0) return ''
  return html`<p class="meta">${t.calendar.elsewhere(elsewhere)} <a href="${basePath}${calendarPath(name, { ...choice, on: 'all' })}">${t.calendar.showElsewhere}</a></p>`
}

/** Which channels, which clock, and until when a day lasts. */
async function footer({ deps, session, t, basePath, preferences }: MemberVisit): Promise<Markup> {
  const [chosen] = await chosenChannels(deps.seen, { user: session.userId })
  const { timeZone, hasLongNights } = preferences
  const facts = [
    t.calendar.channels(chosen?.count ?? 0),
    timeZone === 'UTC' ? t.calendar.utc : t.calendar.zone(cityOf(timeZone)),
    ...(hasLongNights ? [t.calendar.nights] : []),
  ]
  return html`<p class="meta facts">${facts.join(' · ')} · <a href="${basePath}/settings/channels">${t.channels.title}</a> · <a href="${basePath}/settings/calendar">${t.feeds.title}</a></p>`
}

const chosenChannels = prepared((read, slot: SlotOf<{ user: number }>) =>
  read
    .selectFrom('user_channels')
    .innerJoin('channels', 'channels.id', 'channel_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', slot('user'))
    .where('hidden', '=', 0)
    .where(isStation(sql.ref('channels.id'))),
)
