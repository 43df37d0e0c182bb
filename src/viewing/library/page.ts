import { html, type Markup } from '../../pages/html'
import { sprite, spriteIcon, waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { defineAction } from '../../web/form'
import { anyone, definePage, member, seeOther } from '../../web/page'
import type { Visit } from '../../web/visit'
import { unrecordedNote } from '../acts/past-page'
import { type ListName, namesOfLists } from '../lists/queries'
import { actForm, actsByKey } from '../parts/act-form'
import { cardTitle, cover, workPath } from '../parts/cover'
import { findUser, isOwn, robotsOf, type ShownUser, userPath } from '../parts/find-user'
import { pageLinks } from '../parts/page-links'
import { lock } from '../parts/private-mark'
import { ratingsToChoose } from '../parts/rating-form'
import { filterBar, libraryHead, shelfTabs } from './head'
import { chosenIn, isChosen, isFiltered, type LibraryView, libraryViewOf, queryOf } from './library-view'
import { columnsOf, shelfRow } from './row'
import { type ShelfPage, shelfPage } from './shelf'

/** Redirects to the shelf of works being watched. */
export const libraryOfUser = definePage({
  path: '/@:username/library',
  access: anyone,
  show: async (visit) => seeOther(visit, `/@${(await findUser(visit)).username}/library/watching`),
})

/** A user's works by status. Visitors see that of public profiles (D64). */
export const libraryPage = definePage({
  path: '/@:username/library/:status',
  access: anyone,
  show: async (visit) => {
    const user = await findUser(visit)
    const asked = libraryViewOf(visit)
    return showShelf(visit, user, { ...asked, isSelecting: asked.isSelecting && isOwn(visit, user) })
  },
})

/** Another page while works are being selected individually: keeps the selection. */
export const libraryPageWithChosen = defineAction({
  path: '/@:username/library/:status',
  access: member,
  run: async (visit, sent) => {
    const user = await findUser(visit)
    const selection = {
      isSelecting: isOwn(visit, user),
      isSelectingAll: false,
      chosen: new Set(chosenIn(sent)),
    }
    return await showShelf(visit, user, { ...libraryViewOf(visit), ...selection })
  },
})

async function showShelf(visit: Visit, user: ShownUser, asked: LibraryView): Promise<PageContent> {
  const { t } = visit
  const shelf = await shelfPage(visit, user, asked)
  const path = `${visit.basePath}${pathOf(user, { ...asked, isSelectingAll: false })}`
  const lists = asked.isSelecting ? await namesOfLists(visit.deps.seen, user.id) : []
  const main = html`${sprite('great', 'good', 'average', 'bad', 'check', 'more', 'lock')}
    ${libraryHead(visit, user, asked)}
    ${shelfTabs(visit, user, asked)}
    ${await filterBar(visit, user, asked)}
    <div id="library" class="library">${await unrecordedOn(visit, user, asked)}${shelf.rows.length === 0 ? nothing(visit, user, asked) : list(visit, user, { asked, shelf, lists })}</div>
    ${pageLinks(visit, path, shelf, asked.isSelecting ? selection : undefined)}
    ${isOwn(visit, user) && !asked.isSelecting ? actsByKey(visit) : ''}`
  const shelfName = asked.shelf === 'all' ? t.common.all : t.statuses[asked.shelf]
  const title = `${shelfName} · ${isOwn(visit, user) ? t.library.title : user.name}`
  return { title, main, ...robotsOf(user), ...(isOwn(visit, user) && { place: 'library', isKept: true }) }
}

/** On the first page of what was watched, whole: rows below it are of those works, too. */
async function unrecordedOn(visit: Visit, user: ShownUser, asked: LibraryView): Promise<Markup> {
  const { session } = visit
  const isWhole = asked.shelf === 'watched' && asked.page === 1 && !isFiltered(asked) && !asked.isSelecting
  return session !== undefined && isOwn(visit, user) && isWhole
    ? await unrecordedNote({ ...visit, session })
    : html``
}

/** The id of the form around the rows to select. */
const selection = 'selection'

interface List {
  readonly asked: LibraryView
  readonly shelf: ShelfPage
  /** The reader's own, while works are being selected. */
  readonly lists: readonly ListName[]
}

/** A single form around all rows: one per row would make up half of the page. */
function list(visit: Visit, user: ShownUser, { asked, shelf, lists }: List): Markup {
  if (asked.view === 'covers' && !asked.isSelecting) return covers(visit, shelf)
  const rows = table(visit, user, { asked, shelf, lists })
  if (!isOwn(visit, user)) return rows
  if (asked.isSelecting)
    return actForm(
      visit,
      {
        act: 'bulk_status',
        id: selection,
        path: '/status/bulk',
        swap: '#library, .tabs, .page-links',
        returnTo: pathOf(user, { ...asked, isSelectingAll: false }),
      },
      html`${chosenBar(visit, user, { asked, shelf, lists })}${rows}`,
    )
  return actForm(visit, { act: 'record', path: '/record', fields: { once: 1 }, swap: '#library' }, rows)
}

function table(visit: Visit, user: ShownUser, { asked, shelf }: List): Markup {
  const { t } = visit
  const hasActs = isOwn(visit, user) && !asked.isSelecting
  const names = {
    ...t.library.columns,
    last: t.library.columns[asked.shelf === 'wanna_watch' ? 'added' : 'last'],
  }
  const heads = columnsOf(asked).map(
    (column) => html`<th scope="col" class="of-${column}">${names[column]}</th>`,
  )
  const rows = shelf.rows.map((row) => shelfRow(visit, row, { asked, isOwn: isOwn(visit, user) }))
  return html`<table class="dense shelf${phoneColumn(asked)}"><thead><tr>${asked.isSelecting ? html`<td></td>` : ''}<td></td><th scope="col">${t.library.columns.title}</th>${heads}${hasActs ? html`<td></td>` : ''}</tr></thead><tbody>${rows}</tbody></table>`
}

/** A phone has room for one column: progress, unless another one is more relevant. */
function phoneColumn({ shelf, sort }: LibraryView): string {
  if (sort === 'season') return ' by-season'
  return sort === 'rating' || (shelf === 'watched' && sort !== 'progress') ? ' by-rating' : ''
}

const covers = (visit: Visit, { rows }: ShelfPage): Markup =>
  html`<ul class="cards">${rows.map(({ work }) => {
    const { lang, lines } = cardTitle(visit, work)
    return html`<li data-work="${work.id}"><a class="card" href="${workPath(visit, work.id)}">${cover(visit, work, 160)}<span class="name" lang="${lang}">${lines}</span></a>${lock(visit.t, work.private, spriteIcon)}</li>`
  })}</ul>`

/** Sets the status of all selected works; stays in reach while the list scrolls. */
function chosenBar(visit: Visit, user: ShownUser, { asked, shelf, lists }: List): Markup {
  const { t, basePath } = visit
  const link = (changed: Partial<LibraryView>, text: string) =>
    html`<a class="button small quiet" href="${basePath}${pathOf(user, { ...asked, ...changed })}">${text}</a>`
  const choices = (['wanna_watch', 'watching', 'watched', 'on_hold', 'stop_watching'] as const).map(
    (kind) => html`<button class="small" name="kind" value="${kind}">${t.statuses[kind]}</button>`,
  )
  const all = asked.isSelectingAll
    ? link({ isSelectingAll: false }, t.library.selectNone)
    : link({ isSelectingAll: true }, t.library.selectAll(shelf.count))
  const ratings = ratingsToChoose(visit).map(
    ({ name, value, text, key, face }) =>
      html`<button class="small face" name="${name}" value="${value}" data-keys="${key}" formaction="${basePath}/rating/bulk" aria-label="${t.library.rateChosen(text)}">${face === undefined ? text : spriteIcon(face)}</button>`,
  )
  const mark = (value: '0' | '1', words: string) =>
    html`<button class="small" name="private" value="${value}" formaction="${basePath}/status/bulk/private">${value === '1' ? spriteIcon('lock', 16) : ''}${words}</button>`
  const marks = html`${mark('1', t.privacy.onlyMe)}${mark('0', t.privacy.share)}`
  const chosen = shelf.rows.filter(({ work }) => isChosen(asked, work.id)).length + shelf.others.length
  return html`<div class="chosen-bar"><span class="total" role="status">${t.library.chosen} <b data-total>${chosen}</b></span>${otherPages(visit, shelf)}${all}<span class="meta">${t.library.setChosen}</span>${choices}<span class="faces">${ratings}</span>${marks}${toList(visit, lists)}${link({ isSelecting: false }, t.common.done)}</div>`
}

/** The chosen works go to the end of a list. */
function toList({ t, basePath }: Visit, lists: readonly ListName[]): Markup | '' {
  if (lists.length === 0) return ''
  const options = lists.map(({ id, name }) => html`<option value="${id}">${name}</option>`)
  return html`<select name="list_id" aria-label="${t.lists.title}">${options}</select><button class="small" formaction="${basePath}/lists/add">${t.lists.chosen}</button>`
}

const otherPages = ({ t }: Visit, { others }: ShelfPage): Markup =>
  others.length === 0
    ? html``
    : html`<label class="check-label"><input type="checkbox" name="works" value="${others.join(',')}" checked />${t.library.otherPages(others.length)}</label>`

const pathOf = ({ username }: ShownUser, asked: LibraryView): string =>
  `/@${username}/library/${asked.shelf}${queryOf(asked)}`

function nothing(visit: Visit, user: ShownUser, asked: LibraryView): Markup {
  const { t, basePath } = visit
  if (isFiltered(asked))
    return html`<div class="nothing">${waves()}<h2>${t.library.noMatch}</h2><a class="button" href="${userPath(visit, user)}/library/${asked.shelf}">${t.library.showAll}</a></div>`
  if (!isOwn(visit, user)) return html`<div class="nothing">${waves()}<h2>${t.library.nothing}</h2></div>`
  return html`<div class="nothing">${waves()}<h2>${t.library.nothing}</h2><p>${t.library.nothingExplained}</p>
    <a class="button filled" href="${basePath}/seasons/now">${t.library.toSeason}</a></div>`
}
