import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import { icon, sprite } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { watchedTime } from '../../pages/partial-date'
import { chosenTitle } from '../../pages/title'
import { type MemberVisit, queryText } from '../../web/visit'
import { deleteForms, entriesOf, entryList } from '../diary/entry'
import type { WatchedKey } from '../diary/queries'
import { whyHidden } from '../editing/hidden'
import { actForm } from '../parts/act-form'
import { pageLinks, pageNumber } from '../parts/page-links'
import { lock } from '../parts/private-mark'
import { statusMark } from '../parts/status'
import { ownState, type ShownWork } from './view'

/** As many as a page of the diary. */
const pageSize = 36

/** What the reader has of a work that is no longer in the catalogue, to read, export and delete (D42). */
export async function hiddenWorkPage(visit: MemberVisit, work: ShownWork): Promise<PageContent> {
  const { deps, session, basePath } = visit
  const user = session.userId
  const own = await ownState(deps.seen, user, work.id)
  const keys = await watchedOf(deps.seen, { user, work: work.id })
  const pages = Math.ceil(keys.length / pageSize)
  const page = pageNumber(queryText(visit, 'page'), pages)
  const entries = await entriesOf(deps.seen, keys.slice((page - 1) * pageSize, page * pageSize), user)
  const count = keys.length + Number(own.kind !== null) + Number(own.note !== '')
  // Without the last of it, there is no page to come back to.
  const returnTo = count === 1 ? `/@${session.username}/library/all` : undefined
  const { text, lang } = chosenTitle(visit, work)
  const list = entryList(visit, { id: user }, entries, ({ at, precision }) =>
    watchedTime(visit, at, precision),
  )
  const main = html`${sprite('great', 'good', 'average', 'bad', 'more', 'lock')}
    <article class="narrow" data-work="${work.id}" data-hidden>${await notice(visit, work.id)}<h1 lang="${lang}">${text}</h1>
    ${ownStatus(visit, work.id, { ...own, returnTo })}${ownNote(visit, work.id, { ...own, returnTo })}
    ${entries.length === 0 ? '' : list}${pageLinks(visit, `${basePath}/works/${work.id}`, { page, pages })}</article>
    ${deleteForms(visit, returnTo)}`
  return { title: text, main, place: 'library' }
}

async function notice(visit: MemberVisit, work: number): Promise<Markup> {
  const { deps, t, basePath } = visit
  const [{ reason } = { reason: '' }] = await whyHidden(deps.read, { work })
  const why = reason === '' ? '' : html`${t.common.colon}<span dir="auto">${reason}</span>`
  return html`<div class="note">${icon('warning')}<p class="text"><b>${t.editing.hiddenWorks}</b>${why}<br />${t.problem.hiddenWork}</p><a class="button small" href="${basePath}/settings/export">${t.exports.title}</a></div>`
}

interface OwnOfHidden extends Pick<Awaited<ReturnType<typeof ownState>>, 'kind' | 'private' | 'note'> {
  readonly returnTo: string | undefined
}

function ownStatus(visit: MemberVisit, work_id: number, own: OwnOfHidden): Markup | '' {
  if (own.kind === null) return ''
  const { t } = visit
  const form = { act: 'status', path: '/status', fields: { work_id }, returnTo: own.returnTo }
  const remove = html`<button class="small" name="kind" value="no_select">${t.statuses.remove}</button>`
  return html`<div class="buttons">${statusMark(t, own.kind)}${lock(t, own.private)}${actForm(visit, form, remove)}</div>`
}

function ownNote(visit: MemberVisit, work_id: number, { note, returnTo }: OwnOfHidden): Markup | '' {
  if (note === '') return ''
  const { t } = visit
  const form = { act: 'note', path: '/notes', fields: { work_id, text: '' }, returnTo }
  const remove = html`<button class="small danger">${t.common.delete}</button>`
  return html`<section class="own-note" id="note"><h2>${t.work.note} <small>${t.work.notePrivate}</small></h2><p class="comment">${note}</p>${actForm(visit, form, remove)}</section>`
}

/** Newest first. Uses records_user_work and reviews_user. */
const watchedOf = preparedSql<WatchedKey, { user: number; work: number }>(
  (slot) => sql<WatchedKey>`
    select id, 0 as is_viewing, watched_at as at, watched_at_precision as precision from records
    where user_id = ${slot('user')} and work_id = ${slot('work')}
    union all
    select id, 1, ifnull(watched_at, created_at), ifnull(watched_at_precision, 'time') from reviews
    where user_id = ${slot('user')} and work_id = ${slot('work')}
    order by at desc, is_viewing, id desc`,
)
