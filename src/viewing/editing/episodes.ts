import { sql } from 'kysely'
import { editingRight } from '../../accounts/editing-right'
import type { PlannedTitle } from '../../catalogue/edit/episode-list'
import { byHand } from '../../catalogue/import/source'
import { preparedSql } from '../../db/prepared'
import type { Message } from '../../messages/languages'
import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { chosenTitle } from '../../pages/title'
import { contributor, definePage } from '../../web/page'
import { type MemberVisit, queryText } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { type EpisodeNumber, episodeName, isPlainNumber } from '../parts/episode-name'
import { pageLinks, pageNumber } from '../parts/page-links'
import { findWork, type ShownWork } from '../work/view'
import { backToWork, editHead } from './head'
import type { TypedTexts } from './sent-edits'

/** The list of a work's episodes, and titles pasted into it. */
export const episodesPage = definePage({
  path: '/works/:id/edit/episodes',
  access: contributor,
  show: async (visit) => await showEpisodes(visit, await findWork(visit)),
})

interface PasteForm {
  readonly texts?: TypedTexts
  readonly preview?: readonly PlannedTitle[]
  readonly problem?: Message
}

/** With a form that was sent: its preview, or its problem. */
export async function showEpisodes(
  visit: MemberVisit,
  work: ShownWork,
  form: PasteForm = {},
): Promise<PageContent> {
  const { t, deps, session } = visit
  const count = work.episodes_count
  const pages = Math.ceil(count / atOnce)
  const page = pageNumber(queryText(visit, 'page'), pages)
  const rows = await shownEpisodes(deps.seen, { work: work.id, offset: (page - 1) * atOnce })
  const mayEdit = editingRight(deps.config, session) !== 'suggest'
  const path = `/works/${work.id}/edit/episodes`
  const main = html`${editHead(visit, work, 'edit/episodes')}
    <div class="edit-form"><section id="episodes"><h2 class="unseen">${t.editing.tabs['edit/episodes']}</h2>
      ${rows.length === 0 ? html`<p class="nothing">${t.episodeList.none}</p>` : html`<ol class="edit-rows">${rows.map((row) => episodeRow(visit, path, row))}</ol>`}
      ${pageLinks(visit, `${visit.basePath}${path}`, { page, pages })}
      ${mayEdit ? await below(visit, work) : ''}${mayEdit ? await withheld(visit, work) : ''}</section>
      ${mayEdit ? await pasteBox(visit, work, form) : html`<p class="soft">${t.episodeList.oneByOne}</p>`}</div>`
  const title = `${t.editing.tabs['edit/episodes']}${t.common.colon}${chosenTitle(visit, work).text}`
  return { title, main, place: 'find', back: backToWork(visit, work) }
}

/** Some 250 bytes each. */
export const atOnce = 100

interface EpisodeToEdit extends EpisodeNumber {
  readonly id: number
  readonly title: string
  readonly sort_number: number
  readonly estimated: number
  readonly is_by_hand: number
  readonly source: string
  readonly records_count: number
}

const columns = sql`
  e.id, number, number_text, title, sort_number, estimated, records_count, sources.name as source,
  source_id = ${byHand} or exists (select 1 from json_each(e.owners) where value = ${byHand}) as is_by_hand`

// uses episodes_work
const shownEpisodes = preparedSql<EpisodeToEdit, { work: number; offset: number }>(
  (slot) => sql`
    select ${columns} from episodes as e join sources on sources.id = source_id
    where work_id = ${slot('work')} and hidden = 0 order by sort_number, e.id limit ${sql.lit(atOnce)} offset ${slot('offset')}`,
)

function episodeRow(visit: MemberVisit, path: string, row: EpisodeToEdit): Markup {
  const { t } = visit
  return html`<li id="episode-${row.id}" data-episode="${row.id}"><span class="nth">${row.sort_number}</span><a href="${visit.basePath}${path}/${row.id}"><b>${episodeName(visit, row)}</b> <span lang="ja">${row.title === '' ? '—' : row.title}</span></a><span class="meta">${originOf(visit, row)}${row.records_count === 0 ? '' : html` · ${t.episodeList.records(row.records_count)}`}</span></li>`
}

export function originOf(
  { t }: MemberVisit,
  row: Pick<EpisodeToEdit, 'estimated' | 'is_by_hand' | 'source'>,
): Markup {
  if (row.is_by_hand === 1) return html`<span class="by-hand">${t.editing.byHand}</span>`
  return row.estimated === 1 ? html`<span class="estimated">${t.work.estimated}</span>` : html`${row.source}`
}

/** Whether the list grows, and an episode before the first or behind the last one. */
async function below(visit: MemberVisit, work: ShownWork): Promise<Markup> {
  const { t, deps } = visit
  const path = `/works/${work.id}/edit/episodes`
  const [state] = await listState(deps.seen, { work: work.id })
  const choice = (value: string, words: string) =>
    html`<button name="list_state" value="${value}"${value === state?.list_state ? html` aria-current="true"` : ''}>${words}</button>`
  const states = html`<div class="segments" role="group" aria-label="${t.editing.fields.list_state}">${choice('', t.editing.asSourcesSay)}${choice('grows', t.editing.grows)}${choice('complete', t.editing.complete)}</div>`
  const add = html`<div class="field"><label for="added-title">${t.episodeList.addedTitle}</label><input id="added-title" name="title" autocomplete="off" /></div><button class="small">${t.episodeList.add}</button>`
  return html`<div>
    <div>${t.editing.fields.list_state} ${actForm(visit, { act: 'list_state', path: `${path}/list`, swap: '#episodes' }, states)}</div>
    ${actForm(visit, { act: 'insert_episode', path: `${path}/insert`, fields: { after: state?.last ?? 0 }, swap: '#episodes' }, add)}</div>`
}

const listState = preparedSql<{ list_state: string; last: number | null }, { work: number }>(
  (slot) => sql`
    select list_state, (select id from episodes where work_id = works.id and hidden = 0
      order by sort_number desc, id desc limit 1) as last
    from works where id = ${slot('work')}`,
)

/** What sources list though a person deleted it or said that the list is complete. */
async function withheld(visit: MemberVisit, work: ShownWork): Promise<Markup | ''> {
  const { t, deps } = visit
  const rows = await withheldEpisodes(deps.seen, { work: work.id })
  if (rows.length === 0) return ''
  const path = `/works/${work.id}/edit/episodes`
  const entries = rows.map((row) => {
    const name = `${episodeName(visit, row)} ${row.title}`
    const button = html`<button class="small" aria-label="${t.episodeList.showAgain}${t.common.colon}${name}">${t.episodeList.showAgain}</button>`
    return html`<li data-episode="${row.id}" data-differs="hidden"><span class="nth">${row.sort_number}</span><span>${name}</span><span class="meta">${row.source}</span>${actForm(visit, { act: 'use_source', path: `${path}/${row.id}/show`, swap: '#episodes' }, button)}</li>`
  })
  return html`<details class="fold"><summary>${t.episodeList.withheld} <small>${rows.length}</small></summary><ul class="edit-rows">${entries}</ul></details>`
}

// uses episodes_work_place
const withheldEpisodes = preparedSql<EpisodeToEdit, { work: number }>(
  (slot) => sql`
    select ${columns} from episodes as e join sources on sources.id = source_id
    where work_id = ${slot('work')} and hidden & 1 = 1 and owners ->> 'hidden' = ${byHand}
    order by sort_number, e.id limit 100`,
)

async function pasteBox(visit: MemberVisit, work: ShownWork, form: PasteForm): Promise<Markup> {
  const { t } = visit
  const { texts = {}, preview, problem } = form
  const from = texts.from ?? (await firstUntitled(visit, work))
  const body = html`<h2>${t.episodeList.paste}</h2>${problem === undefined ? '' : html`<p class="problem" role="alert" id="paste-problem">${problem(t)}</p>`}
    <div class="field"><label for="paste-from">${t.episodeList.pasteFrom}</label><input id="paste-from" name="from" value="${from}" inputmode="numeric" autocomplete="off" required /></div>
    <textarea name="titles" rows="8" required aria-label="${t.episodeList.paste}" aria-describedby="paste-hint${problem === undefined ? '' : ' paste-problem'}"${problem === undefined ? '' : html` aria-invalid="true" autofocus`}>${'\n'}${texts.titles ?? ''}</textarea>
    ${preview === undefined ? '' : previewOf(visit, preview)}
    <div class="field"><label for="paste-url">${t.editing.sourceUrl} <small>${t.editing.optional}</small></label><input id="paste-url" name="source_url" value="${texts.source_url ?? ''}" placeholder="https://" inputmode="url" autocomplete="off" /></div>
    <div class="buttons"><button name="step" value="save" class="filled">${preview === undefined ? t.common.save : t.episodeList.saveTitles(changesIn(preview))}</button><button name="step" value="preview">${t.episodeList.preview}</button></div>
    <p class="soft" id="paste-hint">${t.episodeList.pasteHint}</p>`
  const path = `/works/${work.id}/edit/episodes`
  return html`<aside class="edit-why" id="paste">${actForm(visit, { act: 'bulk_titles', path, isLong: true }, body)}</aside>`
}

const changesIn = (preview: readonly PlannedTitle[]) =>
  preview.filter(({ before, title }) => before !== title).length

function previewOf({ t }: MemberVisit, preview: readonly PlannedTitle[]): Markup {
  const entry = ({ number, before, title }: PlannedTitle) => {
    if (before === title) return html`<li class="soft"><b>${number}</b> ${title}</li>`
    const old =
      before === undefined
        ? html`<span class="pill">${t.episodeList.isNew}</span>`
        : html`<del aria-label="${t.episodeList.before}">${before === '' ? t.editing.blank : before}</del> →`
    return html`<li><b>${number}</b> ${old} <ins aria-label="${t.episodeList.after}">${title}</ins></li>`
  }
  const shown = preview.slice(0, mostShown)
  const more = preview.length - shown.length
  return html`<ul class="preview" data-preview="${changesIn(preview)}">${shown.map(entry)}${more === 0 ? '' : html`<li class="soft">${t.episodeList.more(more)}</li>`}</ul>`
}

/** Of 2,000, so that the page stays small. */
const mostShown = 150

async function firstUntitled({ deps }: MemberVisit, work: ShownWork): Promise<string> {
  const [row] = await untitled(deps.seen, { work: work.id })
  return row !== undefined && isPlainNumber(row.number) && /^\d+$/.test(row.number)
    ? row.number
    : String(work.episodes_count + 1)
}

// uses episodes_work
const untitled = preparedSql<{ number: string | null }, { work: number }>(
  (slot) => sql`
    select number from episodes where work_id = ${slot('work')} and hidden = 0 and title = '' order by sort_number, id limit 1`,
)
