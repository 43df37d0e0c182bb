import { sql } from 'kysely'
import { decidesEdits, editingRight } from '../../accounts/editing-right'
import { listOfWork, usesOfEpisode } from '../../catalogue/edit/episode-list'
import { type EditedRow, findEdited } from '../../catalogue/edit/row'
import { survivor } from '../../catalogue/survivors'
import { preparedSql } from '../../db/prepared'
import type { Message } from '../../messages/languages'
import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { positiveInteger } from '../../values/number'
import { contributor, definePage } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, readOrNotFound } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { type EpisodeNumber, episodeName } from '../parts/episode-name'
import { findWork, type ShownWork } from '../work/view'
import { editHead } from './head'
import { type EditForm, editForm } from './page'

/** One episode: its fields, and its place in the list. */
export const episodeToEditPage = definePage({
  path: '/works/:id/edit/episodes/:episode',
  access: contributor,
  show: async (visit) => {
    const work = await findWork(visit)
    return await showEpisode(visit, work, await listedEpisode(visit, work))
  },
})

export interface ListedRow extends EpisodeNumber {
  readonly id: number
  readonly title: string
  /** Its place in the list, from 1. */
  readonly place: number
}

/** That of the address, if it is in the work's list. */
export async function listedEpisode(visit: MemberVisit, work: ShownWork): Promise<ListedRow> {
  const id = readOrNotFound(positiveInteger, visit.params.episode)
  const [row] = await oneEpisode(visit.deps.read, { id, work: work.id })
  if (row === undefined) throw pageNotFound()
  return row
}

// uses episodes_work
const oneEpisode = preparedSql<ListedRow, { id: number; work: number }>(
  (slot) => sql`
    select id, number, number_text, title,
      (select count(*) from episodes as o where o.work_id = e.work_id and o.hidden = 0
        and (o.sort_number, o.id) <= (e.sort_number, e.id)) as place
    from episodes as e where id = ${survivor('episodes', slot('id'))} and work_id = ${slot('work')} and hidden = 0`,
)

/** Throws if it is gone. */
export async function rowOfEpisode({ deps }: MemberVisit, { id }: Pick<ListedRow, 'id'>): Promise<EditedRow> {
  const row = await findEdited(deps.read, 'episode', id)
  if (row === undefined) throw pageNotFound()
  return row
}

export async function showEpisode(
  visit: MemberVisit,
  work: ShownWork,
  episode: ListedRow,
  more: Partial<EditForm> = {},
): Promise<PageContent> {
  const { t, deps, session } = visit
  const mayEdit = editingRight(deps.config, session) !== 'suggest'
  const path = `/works/${work.id}/edit/episodes/${episode.id}`
  const row = more.row ?? (await rowOfEpisode(visit, episode))
  const act = mayEdit ? 'edit_episode' : 'propose_episode'
  const name = episodeName(visit, episode)
  const main = html`${editHead(visit, work, 'edit/episodes')}
    <div data-episode="${episode.id}"><h2>${name}</h2>${await editForm(visit, { ...more, row, path, act })}
    ${mayEdit ? html`<div>${insertForm(visit, path, episode)}${splitForm(visit, path, episode)}${await mergeForm(visit, path, work, episode)}${await deleteForm(visit, path, episode)}</div>` : ''}</div>`
  const list = { path: listPath(work, episode), name: t.editing.tabs['edit/episodes'] }
  return { title: `${t.editing.edit}${t.common.colon}${name}`, main, place: 'find', back: list }
}

/** With the page on which the episode is; without the base path. */
export const listPath = ({ id }: ShownWork, { place }: Pick<ListedRow, 'place'>): string => {
  const page = Math.ceil(place / 100)
  return `/works/${id}/edit/episodes${page > 1 ? `?page=${page}` : ''}`
}

function insertForm(visit: MemberVisit, path: string, episode: ListedRow): Markup {
  const { t } = visit
  const body = html`<h3>${t.episodeList.insertAfter(episodeName(visit, episode))}</h3>
    <div class="field"><label for="insert-title">${t.editing.fields.title}</label><input id="insert-title" name="title" autocomplete="off" /></div>
    ${renumberBox(t.episodeList.renumber, 'insert')}<button>${t.episodeList.insert}</button>`
  return actForm(
    visit,
    { act: 'insert_episode', path: `${path}/insert`, fields: { after: episode.id } },
    body,
  )
}

function splitForm(visit: MemberVisit, path: string, episode: ListedRow): Markup {
  const { t } = visit
  const [first = '', second = ''] = episode.title.split(/\s*[／/]\s*/)
  const body = html`<h3>${t.episodeList.split}</h3><p class="soft">${t.episodeList.splitHint}</p>
    <div class="field"><label for="split-first">${t.episodeList.firstTitle}</label><input id="split-first" name="title" value="${second === '' ? episode.title : first}" autocomplete="off" /></div>
    <div class="field"><label for="split-second">${t.episodeList.secondTitle}</label><input id="split-second" name="second_title" value="${second}" autocomplete="off" /></div>
    ${renumberBox(t.episodeList.renumber, 'split')}<button>${t.episodeList.splitNow}</button>`
  return actForm(visit, { act: 'split_episode', path: `${path}/split` }, body)
}

/** Of the nearest ones. For editors: it moves what others wrote. */
async function mergeForm(
  visit: MemberVisit,
  path: string,
  work: ShownWork,
  { id, place }: ListedRow,
): Promise<Markup | ''> {
  const { t, deps, session } = visit
  if (!decidesEdits(session)) return ''
  const rows = (await listOfWork(deps.read, { work: work.id })).filter(({ hidden }) => hidden === 0)
  const near = rows.slice(Math.max(0, place - 1 - nearest), place + nearest).filter((row) => row.id !== id)
  if (near.length === 0) return ''
  const options = near.map(
    (row) => html`<option value="${row.id}">${episodeName(visit, row)} ${row.title.slice(0, 40)}</option>`,
  )
  const body = html`<h3>${t.episodeList.merge}</h3><p class="soft">${t.episodeList.mergeHint}</p>
    <div class="field"><label for="merge-into">${t.episodeList.mergeInto}</label><select id="merge-into" name="into">${options}</select></div><button>${t.episodeList.mergeNow}</button>`
  return actForm(
    visit,
    { act: 'merge_episode', path: `${path}/merge`, returnTo: `/works/${work.id}/edit/episodes` },
    body,
  )
}

const nearest = 20

const renumberBox = (text: string, of: string): Markup =>
  html`<p class="check"><input type="checkbox" id="${of}-renumber" name="renumber" value="1" checked /><label for="${of}-renumber">${text}</label></p>`

/** Says why it is not possible where somebody recorded it (D96). */
async function deleteForm(visit: MemberVisit, path: string, episode: ListedRow): Promise<Markup> {
  const { t, deps } = visit
  const why = whyKept(await usesOfEpisode(deps.read, { id: episode.id }))
  const head = html`<h3>${t.episodeList.delete}</h3>`
  if (why !== undefined) return html`<div>${head}<p class="soft">${why(t)}</p></div>`
  const body = html`${head}<p class="soft">${t.episodeList.deleteHint}</p><button>${t.common.delete}</button>`
  return actForm(visit, { act: 'delete_episode', path: `${path}/remove` }, body)
}

/** Why an episode cannot be deleted; undefined if it can be. Records that are not shared are not counted. */
export function whyKept([uses]: Awaited<ReturnType<typeof usesOfEpisode>>): Message | undefined {
  if (uses === undefined || uses.is_used === 0) return undefined
  return uses.records > 0 ? (t) => t.episodeList.isRecorded(uses.records) : (t) => t.episodeList.isUsed
}
