import { sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'
import { type RawValues, textOrBlank } from '../../http/request-values'
import { instantOf, localTime, wallClock } from '../../lib/local-time'
import { dateOfDay, nextWeekday } from '../../library/showings/own-slot'
import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { timeMarkup } from '../../pages/moment'
import { chosenTitle, titleMarkup } from '../../pages/title'
import { cityOf } from '../../pages/zone-options'
import { longestPlace, longestText, mostEpisodes } from '../../social/meetings/meetings'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { definePage, member } from '../../web/page'
import { type FormProblem, pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { cover, workPath } from '../parts/cover'
import { episodeName } from '../parts/episode-name'
import { findWork, type ShownWork } from '../work/view'
import { findMeeting, type MeetingView, meetingsOfWork } from './view'

const fieldNames = ['episode_id', 'count', 'date', 'time', 'place', 'text', 'for', 'people'] as const
type MeetingFields = Readonly<Partial<Record<(typeof fieldNames)[number], string>>>

/** The form for a new date of a work: the next episode, Friday at 21:00. */
export const planPage = definePage({
  path: '/works/:id/meeting',
  access: member,
  show: async (visit) => await planForm(visit, await findWork(visit), {}),
})

/** The host changes when and where. */
export const changePage = definePage({
  path: '/meetings/:id/edit',
  access: member,
  show: async (visit) => await changeForm(visit, await ownMeeting(visit, pathId(visit)), {}),
})

/** Of the reader's, that can still be changed. Throws the 404 page. */
export async function ownMeeting(visit: MemberVisit, id: number): Promise<MeetingView> {
  const meeting = await findMeeting(visit, id)
  if (!meeting.isHost || meeting.done_at !== null || meeting.cancelled_at !== null) throw pageNotFound()
  return meeting
}

/** The form again, with what was typed. */
export async function meetingFormWithProblem(
  visit: MemberVisit,
  problem: FormProblem,
  sent: RawValues,
): Promise<PageContent> {
  const texts = Object.fromEntries(fieldNames.map((name) => [name, textOrBlank(sent, name)]))
  const meeting = readIfValid(positiveInteger, textOrBlank(sent, 'meeting_id'))
  const typed = { texts, problem }
  if (meeting !== undefined) return await changeForm(visit, await ownMeeting(visit, meeting), typed)
  const work = await findWork({ ...visit, params: { id: textOrBlank(sent, 'work_id') } })
  return await planForm(visit, work, typed)
}

interface TypedMeeting {
  readonly texts?: MeetingFields
  readonly problem?: FormProblem
}

async function planForm(visit: MemberVisit, work: ShownWork, typed: TypedMeeting): Promise<PageContent> {
  const { t, session, deps, now } = visit
  const episodes = await episodesAround(deps.seen, { work: work.id, user: session.userId })
  const preset = episodes.find(({ is_next }) => is_next === 1) ?? episodes.at(-1)
  if (preset === undefined) throw pageNotFound()
  const texts = { ...friday(visit), episode_id: String(preset.id), count: '1', for: 'named', ...typed.texts }
  const option = (one: (typeof episodes)[number]) =>
    html`<option value="${one.id}"${String(one.id) === texts.episode_id ? html` selected` : ''}>${episodeName(visit, one)}</option>`
  const planned = await meetingsOfWork(deps.seen, { work: work.id, now })
  const fields = html`<div class="pair">
        <label>${t.meeting.from}<select name="episode_id">${episodes.map(option)}</select></label>
        <label>${t.meeting.howMany}<input type="number" name="count" min="1" max="${mostEpisodes}" value="${texts.count}" required /></label>
      </div>${timeAndPlace(visit, texts)}
      <fieldset class="field"><legend>${t.meeting.forWhom}</legend><div class="segments">${(
        ['named', 'all'] as const
      ).map(
        (value) =>
          html`<label><input type="radio" name="for" value="${value}"${value === texts.for ? html` checked` : ''} />${t.meeting.whom[value]}</label>`,
      )}</div></fieldset>
      <label>${t.meeting.ask}<textarea name="people" rows="2" autocapitalize="off" spellcheck="false" aria-describedby="people-hint">${'\n'}${texts.people ?? ''}</textarea></label>
      <p class="hint" id="people-hint">${t.meeting.askHint}</p>`
  const form = { act: 'meeting', path: '/meetings', fields: { work_id: work.id } }
  const title = t.meeting.plan
  return page(visit, {
    ...{ work: { ...work, work_id: work.id }, title, problem: typed.problem },
    body: html`${planned.length === 0 ? '' : already(visit, planned)}${actForm(visit, form, html`<div class="fields">${fields}</div><div class="actions"><button class="filled">${t.meeting.invite}</button></div>`)}`,
  })
}

async function changeForm(
  visit: MemberVisit,
  meeting: MeetingView,
  typed: TypedMeeting,
): Promise<PageContent> {
  const { t, preferences } = visit
  const wall = wallClock(meeting.begins_at, preferences.timeZone)
  const [date = '', time = ''] = new Date(wall).toISOString().slice(0, 16).split('T')
  const texts = { date, time, place: meeting.location, text: meeting.body, ...typed.texts }
  const form = { act: 'meeting', path: '/meetings/change', fields: { meeting_id: meeting.id } }
  const body = html`<div class="fields">${timeAndPlace(visit, texts)}</div><div class="actions"><button class="filled">${t.common.save}</button></div>`
  return page(visit, {
    ...{ work: meeting, title: t.meeting.change, problem: typed.problem },
    body: actForm(visit, { ...form, returnTo: `/meetings/${meeting.id}` }, body),
  })
}

interface MeetingForm {
  readonly work: Pick<
    MeetingView,
    'work_id' | 'title' | 'title_en' | 'title_ro' | 'media' | 'season_year' | 'season' | 'cover_hash'
  >
  readonly title: string
  readonly problem: FormProblem | undefined
  readonly body: Markup
}

function page(visit: MemberVisit, { work, title, problem, body }: MeetingForm): PageContent {
  const { t } = visit
  const main = html`<article class="sheet-page meeting-form" id="meeting-form">
    <div class="sheet-head">${cover(visit, { ...work, id: work.work_id }, 40)}
      <div class="text"><h1>${title}</h1><p class="meta"><a href="${workPath(visit, work.work_id)}">${titleMarkup(visit, work)}</a></p></div></div>
    ${problem === undefined ? '' : html`<div class="problems" role="alert"><h2>${t.meeting.failed}</h2><p>${problem.text(t)}</p></div>`}
    ${body}</article>`
  const named = `${title} · ${chosenTitle(visit, work).text}`
  return { title: named, main, place: 'track', ...(problem && { status: problem.status }) }
}

function timeAndPlace({ t, preferences }: MemberVisit, texts: MeetingFields): Markup {
  return html`<div class="pair">
        <label>${t.meeting.day}<input type="date" name="date" value="${texts.date ?? ''}" required /></label>
        <label>${t.slot.time} <small>${cityOf(preferences.timeZone)}</small><input name="time" value="${texts.time ?? ''}" inputmode="numeric" autocomplete="off" placeholder="21:00" required /></label>
      </div>
      <label>${t.meeting.where}<input name="place" value="${texts.place ?? ''}" maxlength="${longestPlace}" autocomplete="off" /></label>
      <label>${t.meeting.text}<textarea name="text" rows="3" maxlength="${longestText}">${'\n'}${texts.text ?? ''}</textarea></label>`
}

function already(visit: MemberVisit, planned: Awaited<ReturnType<typeof meetingsOfWork>>): Markup {
  const line = ({ id, begins_at, username }: (typeof planned)[number]) =>
    html`<li><a href="${visit.basePath}/meetings/${id}">${timeMarkup(visit, begins_at)} · ${username}</a></li>`
  return html`<p class="meta">${visit.t.meeting.already}</p><ul class="planned">${planned.map(line)}</ul>`
}

/** The next Friday at 21:00 by the reader's clock; today's until then. */
function friday({ now, preferences }: MemberVisit): MeetingFields {
  const { dayNumber, hour } = localTime(now, preferences.timeZone)
  const day = nextWeekday(hour < 21 ? dayNumber : dayNumber + 1, 5)
  return { date: dateOfDay(day), time: '21:00' }
}

/** A week later by the reader's clock, or as many as it takes to be to come. */
export function againAt({ now, preferences }: MemberVisit, beginsAt: number): number {
  const { timeZone } = preferences
  const wall = wallClock(beginsAt, timeZone)
  const weeks = Math.max(1, Math.ceil((wallClock(now, timeZone) + 3_600_000 - wall) / week))
  return instantOf(wall + weeks * week, timeZone)
}

const week = 7 * 86_400_000

/** Shown ones from 20 before the reader's next one on, which has no record or skip. Uses episodes_work. */
const episodesAround = prepared((read, slot: SlotOf<{ work: number; user: number }>) => {
  const isOpen = sql`not exists (select 1 from records where records.user_id = ${slot('user')} and records.episode_id = e.id)
    and not exists (select 1 from skips where skips.user_id = ${slot('user')} and skips.episode_id = e.id)`
  const next = sql<
    number | null
  >`(select e.id from episodes as e where e.work_id = ${slot('work')} and e.hidden = 0 and ${isOpen}
    order by e.sort_number, e.id limit 1)`
  const place = sql<number>`(select count(*) from episodes as e where e.work_id = ${slot('work')} and e.hidden = 0
    and (e.sort_number, e.id) < (select sort_number, id from episodes where id = ${next}))`
  return read
    .selectFrom('episodes')
    .select(['id', 'number', 'number_text', sql<number>`id = ${next}`.as('is_next')])
    .where('work_id', '=', slot('work'))
    .where('hidden', '=', 0)
    .orderBy('sort_number')
    .orderBy('id')
    .limit(100)
    .offset(sql<number>`max(0, ${place} - 20)`)
})
