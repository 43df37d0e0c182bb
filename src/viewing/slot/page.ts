import { sql } from 'kysely'
import { isStation } from '../../catalogue/shown'
import { prepared, type SlotOf } from '../../db/prepared'
import { type RawValues, textOrBlank } from '../../http/request-values'
import type { Habit } from '../../library/showings/habit'
import type { OwnSlot } from '../../library/showings/own-slot'
import { showingsOf } from '../../library/showings/showings'
import { clockOfMinute } from '../../library/showings/slots'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { formatDay, readerTime } from '../../pages/local-format'
import { chosenTitle, titleMarkup } from '../../pages/title'
import { cityOf, zoneOptions } from '../../pages/zone-options'
import { definePage, member } from '../../web/page'
import type { FormProblem } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import { type MemberVisit, queryText } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { cover, workPath } from '../parts/cover'
import { episodeName } from '../parts/episode-name'
import { findWork, type ShownWork } from '../work/view'
import { type NextNumber, type SlotTexts, type Standing, slotFields, standingOf, textsOf } from './standing'

/** A time of one's own for a work (D80); with script, a dialog over the page. `return_to`: the page to return to. */
export const slotPage = definePage({
  path: '/works/:id/slot',
  access: member,
  show: async (visit) => {
    const work = await findWork(visit)
    const returnTo = safeReturn(queryText(visit, 'return_to'), visit.deps.config.baseUrl)
    const standing = await standingOf(visit, work)
    return await page(visit, work, { ...standing, returnTo, texts: textsOf(visit, work, standing) })
  },
})

/** Shows the form again with what was typed and its problem. */
export async function slotPageWithProblem(
  visit: MemberVisit,
  problem: FormProblem,
  sent: RawValues,
): Promise<PageContent> {
  const work = await findWork({ ...visit, params: { id: textOrBlank(sent, 'work_id') } })
  const standing = await standingOf(visit, work)
  const typed = Object.fromEntries(slotFields.map((name) => [name, textOrBlank(sent, name)]))
  const texts = { ...textsOf(visit, work, standing), ...typed }
  const returnTo = safeReturn(textOrBlank(sent, 'return_to'), visit.deps.config.baseUrl)
  return { ...(await page(visit, work, { ...standing, returnTo, texts, problem })), status: problem.status }
}

interface SlotForm extends Standing {
  readonly texts: SlotTexts
  readonly returnTo: string
  readonly problem?: FormProblem
}

async function page(visit: MemberVisit, work: ShownWork, form: SlotForm): Promise<PageContent> {
  const { t, basePath } = visit
  const title = t.slot.of(chosenTitle(visit, work).text)
  const main = html`<article class="sheet-page slot" id="slot" data-work="${work.id}">
    <div class="sheet-head">
      ${cover(visit, work, 40)}
      <div class="text"><h1>${t.slot.title}</h1><p class="meta"><a href="${workPath(visit, work.id)}">${titleMarkup(visit, work)}</a></p></div>
      <a class="close" href="${basePath}${form.returnTo}" aria-label="${t.common.close}">${icon('close')}</a>
    </div>
    ${problemBox(visit, form)}${await notes(visit, work, form)}
    ${actForm(visit, { ...act(work, form), act: 'slot_set', path: '/calendar/slot' }, await fields(visit, form))}
    ${form.slot === undefined ? '' : others(visit, work, form)}
  </article>`
  return { title, main, place: 'track' }
}

/** `main` too: what the page below shows of it may be anywhere there. */
const act = (work: ShownWork, { returnTo }: SlotForm) => ({
  fields: { work_id: work.id },
  swap: 'main, #slot',
  returnTo,
})

const problemBox = ({ t }: MemberVisit, { problem }: SlotForm): Markup | '' =>
  problem === undefined
    ? ''
    : html`<div class="problems" role="alert"><h2>${t.slot.failed}</h2><p>${problem.text(t)}</p></div>`

/** What is known already: the habit, the time that stands, and a listed time, which holds instead. */
async function notes(visit: MemberVisit, work: ShownWork, { slot, habit, next }: SlotForm): Promise<Markup> {
  const { t, deps, session, now } = visit
  const { shown } = await showingsOf(deps.seen, {
    ...{ user: session.userId, works: [work.id], now, from: now, until: now + fortnight },
  })
  const listed = shown.find(({ kind }) => kind === 'listed')
  const note = (text: Markup | string) => html`<p class="note">${icon('clock')}<span>${text}</span></p>`
  const name =
    listed?.episode === undefined ? chosenTitle(visit, work).text : episodeName(visit, listed.episode)
  return html`${slot === undefined && habit !== undefined ? note(t.slot.habit(habitText(visit, habit))) : ''}${
    listed === undefined ? '' : note(t.slot.listed(name, readerWhen(visit, listed.at)))
  }${slot === undefined ? '' : html`<p class="meta">${standingText(visit, slot, next)}</p>`}`
}

const fortnight = 14 * 86_400_000

function readerWhen(visit: MemberVisit, at: number): string {
  const { dayNumber, clock } = readerTime(visit, at)
  return visit.t.time.onDay(formatDay(visit, dayNumber, 'weekdayAndDay'), clock)
}

/** `Fri, about 23:00` */
function habitText(visit: MemberVisit, { at }: Habit): string {
  const { dayNumber, clock } = readerTime(visit, at)
  return visit.t.slot.habitually(formatDay(visit, dayNumber, 'shortWeekday'), clock)
}

function standingText(visit: MemberVisit, slot: OwnSlot, next: NextNumber | undefined): string {
  const { t } = visit
  const named = (number: string) => episodeName(visit, { number, number_text: `第${number}話` })
  const weekday = formatDay(visit, sunday + slot.weekday, 'weekday')
  const first = named(String(slot.first_episode))
  const rule = t.slot.now(first, weekday, clockOfMinute(slot.minute), slot.every_weeks === 2)
  const last = next?.last_number ?? null
  return next?.may_grow === 1 || last === null ? t.slot.open(rule) : t.slot.until(rule, named(last))
}

/** 4 January 1970, as days since the first. */
const sunday = 3

async function fields(visit: MemberVisit, { texts }: SlotForm): Promise<Markup> {
  const { t } = visit
  const { time_zone } = texts
  return html`<div class="fields">
      ${weekdays(visit, texts.weekday)}
      <div class="pair">
        <label>${t.slot.time} <small>${cityOf(time_zone)}</small><input name="time" value="${texts.time}" inputmode="numeric" autocomplete="off" placeholder="23:00" required aria-describedby="slot-time-hint" /></label>
        <label>${t.slot.channel}<select name="channel_id"><option value="">${t.slot.anyChannel}</option>${await channels(visit, texts.channel_id)}</select></label>
      </div>
      <p class="hint" id="slot-time-hint">${t.slot.timeHint}</p>
      <div class="pair">
        <label>${t.slot.from}<input name="first_episode" value="${texts.first_episode}" inputmode="numeric" autocomplete="off" /></label>
        <label>${t.slot.beginsOn}<input type="date" name="begins_on" value="${texts.begins_on}" /></label>
      </div>
      <details class="fold"><summary>${t.slot.more}</summary>
        <label>${t.slot.zone}<select name="time_zone">${zoneOptions(visit.now, time_zone)}</select></label>
        <label>${t.slot.weeks}<select name="every_weeks">${[t.slot.weekly, t.slot.fortnightly].map(
          (text, at) =>
            html`<option value="${at + 1}"${String(at + 1) === texts.every_weeks ? html` selected` : ''}>${text}</option>`,
        )}</select></label>
      </details>
      <p class="hint">${t.slot.onlyMe}</p>
    </div>
    <div class="actions"><button class="filled">${t.slot.keep}</button></div>`
}

function weekdays(visit: MemberVisit, chosen: string): Markup {
  const { weekStart } = visit.preferences
  const day = (_: unknown, at: number) => {
    const weekday = (weekStart + at) % 7
    const checked = String(weekday) === chosen ? html` checked` : ''
    return html`<label><input type="radio" name="weekday" value="${weekday}"${checked} />${formatDay(visit, sunday + weekday, 'shortWeekday')}</label>`
  }
  return html`<fieldset class="field"><legend>${visit.t.slot.weekday}</legend><div class="segments">${Array.from({ length: 7 }, day)}</div></fieldset>`
}

async function channels({ deps, session }: MemberVisit, chosen: string): Promise<readonly Markup[]> {
  const rows = await stations(deps.seen, { user: session.userId })
  return rows.map(
    ({ id, name }) =>
      html`<option value="${id}"${String(id) === chosen ? html` selected` : ''} lang="ja">${name}</option>`,
  )
}

/** The reader's own first. */
const stations = prepared((read, slot: SlotOf<{ user: number }>) =>
  read
    .selectFrom('channels')
    .select(['channels.id', 'name'])
    .where('hidden', '=', 0)
    .where(isStation(sql.ref('channels.id')))
    .orderBy(
      sql`exists (select 1 from user_channels where user_id = ${slot('user')} and channel_id = channels.id)`,
      'desc',
    )
    .orderBy('sort_number')
    .orderBy('channels.id')
    .limit(300),
)

const others = (visit: MemberVisit, work: ShownWork, form: SlotForm): Markup =>
  html`<div class="others">
      ${actForm(visit, { ...act(work, form), act: 'slot_shift', path: '/calendar/slot/shift' }, html`<button class="plain">${visit.t.slot.shift}</button>`)}
      ${actForm(visit, { ...act(work, form), act: 'slot_end', path: '/calendar/slot/end' }, html`<button class="quiet">${visit.t.slot.end}</button>`)}
    </div>`
