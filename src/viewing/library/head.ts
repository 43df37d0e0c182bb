import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { Visit } from '../../web/visit'
import { isOwn, type ShownUser, userPath } from '../parts/find-user'
import { mediumName } from '../work/facts'
import { isFiltered, type LibraryView, media, queryOf, type Shelf, shelves, sorts } from './library-view'
import { yearsOf } from './shelf'

const shelfPath = (visit: Visit, user: ShownUser, asked: Partial<LibraryView> & { shelf: Shelf }): string =>
  `${userPath(visit, user)}/library/${asked.shelf}${queryOf(asked)}`

/** The heading with controls for order, selection and view. */
export function libraryHead(visit: Visit, user: ShownUser, asked: LibraryView): Markup {
  const { t } = visit
  const path = (changed: Partial<LibraryView>) => shelfPath(visit, user, { ...asked, ...changed })
  const order = sorts.map(
    (sort) =>
      html`<a href="${path({ sort })}"${sort === asked.sort ? html` aria-current="true"` : ''}>${t.library.sorts[sort]}</a>`,
  )
  const view = (name: 'covers' | 'table', drawing: 'grid' | 'lines') =>
    html`<a href="${path({ view: name, isSelecting: false })}"${name === asked.view ? html` aria-current="true"` : ''} aria-label="${t.library.views[name]}">${icon(drawing)}</a>`
  return html`${isOwn(visit, user) ? '' : html`<a class="back" href="${userPath(visit, user)}">${icon('back', 16)}${user.name}</a>`}
    <div class="head library-head"><h1>${t.library.title}</h1><a class="button small" href="${userPath(visit, user)}/lists">${t.lists.title}</a>
    <details class="menu" name="menu"><summary class="button small" aria-label="${t.library.sort(t.library.sorts[asked.sort])}">${t.library.sorts[asked.sort]}${icon('down', 14)}</summary><div class="entries">${order}</div></details>
    <nav class="segments" aria-label="${t.common.view}">${view('covers', 'grid')}${view('table', 'lines')}</nav></div>`
}

/** Only if several works can be selected. */
function selectLink(visit: Visit, user: ShownUser, asked: LibraryView): Markup | '' {
  if (!isOwn(visit, user) || asked.view === 'covers') return ''
  const path = shelfPath(visit, user, {
    ...asked,
    isSelecting: !asked.isSelecting,
    isSelectingAll: false,
  })
  const current = asked.isSelecting ? html` aria-current="true"` : ''
  return html`<a class="button small select" href="${path}"${current}>${visit.t.library.select}</a>`
}

/** A tab per status, with its number of works. */
export function shelfTabs(visit: Visit, user: ShownUser, asked: LibraryView): Markup {
  const { t } = visit
  const tab = (shelf: Shelf) => {
    const name = shelf === 'all' ? t.common.all : html`${icon(shelf, 14)}${t.statuses[shelf]}`
    const current = shelf === asked.shelf ? html` aria-current="page"` : ''
    return html`<a href="${shelfPath(visit, user, { shelf, view: asked.view })}"${current}>${name} <small>${countOf(user, shelf).toLocaleString('en')}</small></a>`
  }
  return html`<nav class="tabs" aria-label="${t.library.shelves}">${shelves.map(tab)}</nav>`
}

const countOf = (user: ShownUser, shelf: Shelf): number =>
  shelf === 'all'
    ? user.watching_count +
      user.wanna_watch_count +
      user.watched_count +
      user.on_hold_count +
      user.stop_watching_count
    : user[`${shelf}_count`]

/** Folded unless a filter is set. */
export async function filterBar(visit: Visit, user: ShownUser, asked: LibraryView): Promise<Markup> {
  const { deps, t } = visit
  const years = await yearsOf(deps.seen, { user: user.id })
  if (years.length === 0 && !isFiltered(asked)) return html``
  const option = (value: string, text: string, isChosen: boolean) =>
    html`<option value="${value}"${isChosen ? html` selected` : ''}>${text}</option>`
  const mediaOptions = media.map((one) => option(one, mediumName(visit, one), one === asked.medium))
  const yearOptions = years.map(({ year }) => option(String(year), t.seasons.year(year), year === asked.year))
  const kept = { sort: asked.sort, view: asked.view, ...(asked.isSelecting && { select: '1' }) }
  return html`<div class="shelf-bar"><details class="filters"${isFiltered(asked) ? html` open` : ''}><summary>${icon('settings', 16)}${t.library.filter}</summary>
    <form method="get" action="${userPath(visit, user)}/library/${asked.shelf}">${Object.entries(kept).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}<input type="search" name="q" value="${asked.text}" maxlength="100" aria-label="${t.library.columns.title}" placeholder="${t.library.columns.title}" />
    <select name="media" aria-label="${t.work.medium}">${option('', t.library.anyMedium, asked.medium === '')}${mediaOptions}</select>
    <select name="year" aria-label="${t.library.year}">${option('', t.library.anyYear, asked.year === 0)}${yearOptions}</select>
    <button class="small">${t.library.apply}</button></form></details>${selectLink(visit, user, asked)}</div>`
}
