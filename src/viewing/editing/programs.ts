import { sql } from 'kysely'
import { editingRight } from '../../accounts/editing-right'
import type { SlotEvening } from '../../catalogue/edit/slot-plan'
import { isStation } from '../../catalogue/shown'
import { prepared, preparedSql } from '../../db/prepared'
import type { Message } from '../../messages/languages'
import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { formatDay, readerTime } from '../../pages/local-format'
import { chosenTitle } from '../../pages/title'
import { contributor, definePage } from '../../web/page'
import type { MemberVisit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { type EpisodeNumber, episodeName } from '../parts/episode-name'
import { findWork, type ShownWork } from '../work/view'
import { originOf } from './episodes'
import { backToWork, editHead } from './head'
import type { TypedTexts } from './sent-edits'

/** The broadcasts of a work, and slots by hand. */
export const programsPage = definePage({
  path: '/works/:id/edit/programs',
  access: contributor,
  show: async (visit) => await showPrograms(visit, await findWork(visit)),
})

interface SlotForm {
  readonly texts?: TypedTexts
  /** With the episodes of the list from the slot's first one on. */
  readonly preview?: {
    readonly evenings: readonly SlotEvening[]
    readonly episodes: readonly EpisodeNumber[]
  }
  readonly problem?: Message
}

/** With a form that was sent: its preview, or its problem. */
export async function showPrograms(
  visit: MemberVisit,
  work: ShownWork,
  form: SlotForm = {},
): Promise<PageContent> {
  const { t, deps, session, now } = visit
  const mayEdit = editingRight(deps.config, session) !== 'suggest'
  const rows = await programsOf(deps.seen, { work: work.id, from: now - shownBefore })
  const main = html`${editHead(visit, work, 'edit/programs')}<div class="edit-form"><section id="programs"><h2>${t.programList.title}</h2>
    ${rows.length === 0 ? html`<p class="nothing">${t.programList.none}</p>` : html`<ol class="edit-rows">${rows.map((row) => programRow(visit, work, row, mayEdit))}</ol>`}</section>
    ${mayEdit ? await slotBox(visit, work, form) : ''}</div>`
  const title = `${t.editing.tabs['edit/programs']}${t.common.colon}${chosenTitle(visit, work).text}`
  return { title, main, place: 'find', back: backToWork(visit, work) }
}

const shownBefore = 21 * 86_400_000

interface ProgramToEdit extends EpisodeNumber {
  readonly id: number
  readonly started_at: number
  readonly channel: string
  readonly estimated: number
  readonly source: string
  readonly is_by_hand: number
}

// uses programs_work
const programsOf = preparedSql<ProgramToEdit, { work: number; from: number }>(
  (slot) => sql`
    select p.id, p.started_at, channels.name as channel, p.estimated, sources.name as source, e.number,
      ifnull(e.number_text, '') as number_text,
      p.source_id = 1 or exists (select 1 from json_each(p.owners) where value = 1) as is_by_hand
    from programs as p join channels on channels.id = p.channel_id join sources on sources.id = p.source_id
      left join episodes as e on e.id = p.episode_id
    where p.work_id = ${slot('work')} and p.hidden = 0 and p.started_at >= ${slot('from')}
    order by p.started_at, p.id limit 60`,
)

function programRow(visit: MemberVisit, work: ShownWork, row: ProgramToEdit, mayEdit: boolean): Markup {
  const { t } = visit
  const when = japanTime(visit, row.started_at)
  const name = `${episodeName(visit, row)} ${when}`
  const path = `/works/${work.id}/edit/programs/${row.id}`
  const act = (act: string, words: string, fields = {}) =>
    actForm(
      visit,
      { act, path: `${path}/${act}`, fields, swap: '#programs' },
      html`<button class="small" aria-label="${words}${t.common.colon}${name}">${words}</button>`,
    )
  const origin = originOf(visit, row)
  const acts = html`<span class="buttons">${act('shift_program', t.programList.shift, { weeks: 1 })}${row.estimated === 1 ? '' : act('drop_program', t.programList.off)}</span>`
  return html`<li data-program="${row.id}"><span class="nth">${row.number ?? ''}</span><span><b>${when}</b> <span class="meta">${row.channel} · ${origin}</span></span>${mayEdit ? acts : ''}</li>`
}

/** Broadcasts are in Japan's time, with its long nights. */
function japanTime(visit: MemberVisit, at: number): string {
  const preferences = { ...visit.preferences, timeZone: 'Asia/Tokyo', hasLongNights: true }
  const { dayNumber, clock } = readerTime({ ...visit, preferences }, at)
  return visit.t.time.onDay(formatDay(visit, dayNumber, 'weekdayAndDay'), clock)
}

async function slotBox(visit: MemberVisit, work: ShownWork, form: SlotForm): Promise<Markup> {
  const { t, deps } = visit
  const { texts = {}, preview, problem } = form
  const channels = await stations(deps.seen, {})
  const text = (name: string, otherwise = '') => texts[name] ?? otherwise
  const input = (name: string, words: string, { hint = '', otherwise = '', type = 'text' } = {}) =>
    html`<div class="field"><label for="slot-${name}">${words} <small>${hint}</small></label><input id="slot-${name}" name="${name}" type="${type}" value="${text(name, otherwise)}" autocomplete="off" /></div>`
  const options = (pairs: readonly (readonly [string, string])[], chosen: string) =>
    pairs.map(
      ([value, words]) =>
        html`<option value="${value}"${value === chosen ? html` selected` : ''}>${words}</option>`,
    )
  const every = [
    ['7', t.programList.weekly],
    ['14', t.programList.fortnightly],
    ['1', t.programList.daily],
  ] as const
  const body = html`<h2>${t.programList.slot}</h2>${problem === undefined ? '' : html`<p class="problem" role="alert" tabindex="-1" autofocus>${problem(t)}</p>`}
    <div class="field"><label for="slot-channel">${t.programList.channel}</label><select id="slot-channel" name="channel_id"><option value="">–</option>${options(
      channels.map(({ id, name }) => [String(id), name]),
      text('channel_id'),
    )}</select></div>
    ${input('channel_name', t.programList.otherChannel)}
    ${input('begins_on', t.programList.beginsOn, { type: 'date' })}
    ${input('at', t.programList.at, { hint: t.programList.atHint })}
    <div class="field"><label for="slot-every">${t.programList.every}</label><select id="slot-every" name="every">${options(every, text('every', '7'))}</select></div>
    ${input('weeks', t.programList.times, { hint: t.programList.timesHint })}
    ${input('skips', t.programList.skips, { hint: t.programList.skipsHint })}
    ${input('first_episode', t.programList.firstEpisode, { otherwise: '1' })}
    ${input('at_once', t.programList.atOnce, { otherwise: '1' })}
    ${input('source_url', t.editing.sourceUrl, { hint: t.editing.optional })}
    ${preview === undefined ? '' : previewOf(visit, preview)}
    <div class="buttons"><button name="step" value="save" class="filled">${t.common.save}</button><button name="step" value="preview">${t.episodeList.preview}</button></div>`
  return html`<aside class="edit-why">${actForm(visit, { act: 'add_slot', path: `/works/${work.id}/edit/programs` }, body)}</aside>`
}

function previewOf(visit: MemberVisit, { evenings, episodes }: NonNullable<SlotForm['preview']>): Markup {
  const { t } = visit
  const entry = ({ at, places }: SlotEvening) => {
    const names = places.flatMap((place) => {
      const episode = episodes[place]
      return episode === undefined ? [] : [episodeName(visit, episode)]
    })
    return html`<li><b>${names.length === 0 ? t.programList.pause : names.join(', ')}</b> ${japanTime(visit, at)}</li>`
  }
  const count = evenings.reduce((sum, { places }) => sum + places.length, 0)
  return html`<ul class="preview" data-preview="${count}">${evenings.slice(0, mostShown).map(entry)}${evenings.length > mostShown ? html`<li class="soft">${t.episodeList.more(evenings.length - mostShown)}</li>` : ''}</ul>`
}

const mostShown = 60

const stations = prepared((read, _slot: unknown) =>
  read
    .selectFrom('channels')
    .select(['channels.id', 'name'])
    .where('hidden', '=', 0)
    .where(isStation(sql.ref('channels.id')))
    .orderBy('sort_number')
    .orderBy('channels.id')
    .limit(300),
)
