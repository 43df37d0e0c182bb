import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { chosenTitle, titleMarkup } from '../../pages/title'
import { longestListNote } from '../../social/lists/write-list'
import { positiveInteger } from '../../values/number'
import { definePage, member } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, queryText, readOrNotFound } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { cover } from '../parts/cover'
import { isOwn, userPath } from '../parts/find-user'
import { pageLinks, pageNumber } from '../parts/page-links'
import { listForm } from './form'
import { type FoundList, findList, type ListedWorkRow, worksInList } from './queries'

/** Some 1.3 KB each. */
const atOnce = 25

/** Changes a list of one's own: each press is saved at once. */
export const listEditPage = definePage({
  path: '/@:username/lists/:id/edit',
  access: member,
  show: async (visit): Promise<PageContent> => {
    const found = await ownList(visit)
    const { user, list } = found
    const pages = Math.ceil(list.works / atOnce)
    const page = pageNumber(queryText(visit, 'page'), pages)
    const range = { limit: atOnce, offset: (page - 1) * atOnce }
    const rows = await worksOf(visit, list.id, range)
    const { t } = visit
    const path = `${userPath(visit, user)}/lists/${list.id}`
    const shown = rows.map((row) => editRow(visit, found, row))
    const fields = { ...list, listId: list.id, isOrdered: list.is_ordered === 1 }
    const main = html`<a class="back" href="${path}">${icon('back', 16)}${list.name}</a>
      <h1>${t.lists.edit}</h1>
      <details class="fold"${rows.length === 0 ? html` open` : ''}><summary>${t.lists.nameAndWho}</summary>${listForm(visit, fields, `/@${user.username}/lists/${list.id}/edit`)}</details>
      <form method="get" action="${visit.basePath}/search" class="add-work"><input type="search" name="q" required maxlength="200" aria-label="${t.lists.find}" placeholder="${t.lists.find}" /></form>
      <ol class="rows in-list editing" id="in-list">${shown}</ol>
      ${pageLinks(visit, `${path}/edit`, { page, pages })}
      <p class="buttons"><a class="button filled" href="${path}">${t.common.done}</a><span class="meta">${t.lists.savedAtOnce}</span></p>`
    return { title: t.lists.edit, main, place: 'library' }
  },
})

/** Throws for somebody else's. */
async function ownList(visit: MemberVisit): Promise<FoundList> {
  const found = await findList(visit)
  if (!isOwn(visit, found.user)) throw pageNotFound()
  return found
}

const worksOf = ({ deps, session }: MemberVisit, list: number, range: { limit: number; offset: number }) =>
  worksInList(deps.seen, { list, reader: session.userId, unseen: 0, ...range })

/** ↑ and ↓ keep the focus; Alt with an arrow presses them, too. */
function editRow(visit: MemberVisit, { user, list }: FoundList, work: ListedWorkRow): Markup {
  const { t } = visit
  const { text } = chosenTitle(visit, work)
  const fields = { list_id: list.id, work_id: work.id }
  const button = (to: 'up' | 'down', name: string) =>
    html`<button class="quiet" name="to" value="${to}" data-focus="${to}-${work.id}" data-keys="Alt Arrow${to === 'up' ? 'Up' : 'Down'}" aria-label="${name}">${icon('down')}</button>`
  const moves = html`${button('up', t.lists.up(text))}${button('down', t.lists.down(text))}`
  const note = work.note === '' ? t.lists.writeNote : work.note
  return html`<li class="row" id="row-${work.id}" data-work="${work.id}"><span class="nth">${work.nth}</span>${cover(visit, work, 48)}
    <div class="text">${titleMarkup(visit, work)}<p class="meta one-line">${note}</p></div>
    ${actForm(visit, { act: 'list_move', path: '/lists/move', fields, swap: '#in-list' }, moves)}
    <a class="button quiet" href="${userPath(visit, user)}/lists/${list.id}/works/${work.id}" data-dialog aria-label="${t.lists.menuOf(text)}" data-focus="more-${work.id}">${icon('more')}</a></li>`
}

/** Note, place and removal of one work: for ⋯, which has no room for them in a row. */
export const listedWorkPage = definePage({
  path: '/@:username/lists/:id/works/:work',
  access: member,
  show: async (visit): Promise<PageContent> => {
    const { user, list } = await ownList(visit)
    const id = readOrNotFound(positiveInteger, visit.params.work)
    const work = (await worksOf(visit, list.id, { limit: 1000, offset: 0 })).find((row) => row.id === id)
    if (work === undefined) throw pageNotFound()
    const { t } = visit
    const page = Math.ceil(work.nth / atOnce)
    const returnTo = `/@${user.username}/lists/${list.id}/edit${page > 1 ? `?page=${page}` : ''}`
    const of = { fields: { list_id: list.id, work_id: id }, swap: 'main', returnTo }
    const note = html`<div class="field"><label for="list-note">${t.lists.note}</label><textarea id="list-note" name="text" rows="3" maxlength="${longestListNote}">${'\n'}${work.note}</textarea></div><button>${t.common.save}</button>`
    const place = html`<div class="field"><label for="list-place">${t.lists.place}</label><input id="list-place" type="number" name="to" min="1" max="${list.works}" value="${work.nth}" required inputmode="numeric" /></div><button>${t.lists.move}</button>`
    const main = html`<div class="narrow"><h1 class="unseen">${t.lists.menuOf(chosenTitle(visit, work).text)}</h1><div class="subject">${cover(visit, work, 40)}${titleMarkup(visit, work)}</div>
      ${actForm(visit, { act: 'list_note', path: '/lists/note', ...of }, note)}
      ${actForm(visit, { act: 'list_move', path: '/lists/move', ...of }, place)}
      ${actForm(visit, { act: 'list_remove', path: '/lists/remove', ...of }, html`<button class="quiet">${t.lists.remove}</button>`)}</div>`
    return { title: t.lists.menuOf(chosenTitle(visit, work).text), main, place: 'library' }
  },
})
