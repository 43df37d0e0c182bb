import { userAvatar } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import { icon, waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { searchForm } from '../../pages/navigation'
import { catalogueReader, definePage, member } from '../../web/page'
import { returnTarget } from '../../web/return-to'
import type { Visit } from '../../web/visit'
import { newWorkLink } from '../editing/new-work'
import { actsByKey } from '../parts/act-form'
import {
  type FoundName,
  type FoundUser,
  find,
  foundNames,
  foundUsers,
  foundWorks,
  isTooLong,
  lastViewings,
  longestText,
  type SearchQuery,
  type SearchResults,
  searchPath,
  searchQueryOf,
} from './queries'
import { type Marker, markerOf, workRow } from './work-row'

/** The results for a text, by relevance: `?q=&kind=&page=`. */
export const searchPage = definePage({ path: '/search', access: searcher, show: showSearch })

/** Only members may search for users. */
function searcher(visit: Visit): Visit {
  return searchQueryOf(visit).kind === 'users' ? member(visit) : catalogueReader(visit)
}

async function showSearch(visit: Visit): Promise<PageContent> {
  const { t } = visit
  const asked = searchQueryOf(visit)
  const { text } = asked
  if (text === '') return page(visit, asked, { title: t.common.search, results: nothingTyped(visit) })
  if (isTooLong(asked))
    return page(visit, asked, { title: t.common.search, results: tooLong(visit, asked), status: 400 })
  const found = await find(visit, asked)
  return page(visit, asked, {
    title: t.search.of(text),
    count: t.search.counts[asked.kind](found.total),
    results: html`${kindLinks(visit, asked, found)}${await results(visit, asked, found)}`,
  })
}

interface Shown {
  readonly title: string
  readonly count?: string
  readonly results: Markup
  readonly status?: number
}

/** The script replaces `#found` and `#results` while typing. */
function page(
  visit: Visit,
  { text, kind }: SearchQuery,
  { title, count, results, status = 200 }: Shown,
): PageContent {
  const search = { text, kind: kind === 'works' ? '' : kind }
  const main = html`<div class="search-page">
      ${visit.session === undefined ? searchForm(visit, search) : ''}
      <div aria-live="polite"><h1 id="found">${title}${count === undefined ? '' : html` <small>${count}</small>`}</h1></div>
      <div id="results">${results}</div>
      ${visit.session === undefined ? '' : actsByKey({ ...visit, session: visit.session })}
    </div>`
  return { title, main, place: 'find', search, status }
}

async function results(visit: Visit, asked: SearchQuery, found: SearchResults): Promise<Markup> {
  if (found.total === 0) return nothingFound(visit, asked)
  const hint =
    asked.kind === 'works'
      ? html`<p class="meta">${visit.t.search.hint}${visit.t.common.gap}${missing(visit)}</p>`
      : ''
  return html`${toSignIn(visit, asked)}<ul class="rows"${asked.kind === 'works' ? html` data-rows` : ''}>${await rows(visit, asked, found)}</ul>
      ${pageLinks(visit, asked, found)}${hint}`
}

/** What can be typed, each with an example to press. */
function nothingTyped({ t, basePath }: Visit): Markup {
  const example = (text: string) =>
    html`<a class="chip" href="${basePath}${searchPath({ text, kind: 'works', page: 1 })}">${text}</a>`
  const way = ({ what, examples }: { what: string; examples: readonly string[] }) =>
    html`<div><dt>${what}</dt><dd>${examples.map(example)}</dd></div>`
  return html`<dl class="ways">${t.search.ways.map(way)}</dl>
    <p><a href="${basePath}/seasons/now">${t.search.toSeason}</a></p>`
}

function nothingFound(visit: Visit, { kind, text }: SearchQuery): Markup {
  const { t, basePath } = visit
  return html`<div class="nothing">${waves()}
      <h2>${t.search.nothing[kind]}</h2>
      <p>${kind === 'works' ? html`${t.search.tryWorks}${t.common.gap}${missing(visit)}` : t.search.tryNames}</p>
      ${kind === 'works' ? (newWorkLink(visit, text) ?? '') : ''} <a href="${basePath}/seasons/now">${t.search.toSeason}</a>
    </div>`
}

/** Members cannot add works: says who does and how. */
const missing = ({ t, session }: Visit): string =>
  session?.isAdmin ? t.search.missingForAdmin : t.search.missing

function tooLong({ t }: Visit, { text }: SearchQuery): Markup {
  return html`<div class="failed" role="alert">${icon('warning', 40)}
      <h2>${t.search.tooLong}</h2>
      <p>${t.search.limit(longestText, [...text].length)}</p>
    </div>`
}

function toSignIn(visit: Visit, { kind }: SearchQuery): Markup {
  const { session, t, basePath } = visit
  if (session !== undefined || kind !== 'works') return html``
  return html`<p class="meta"><a href="${basePath}/sign_in?return_to=${returnTarget(visit)}">${t.search.signIn}</a></p>`
}

async function rows(
  visit: Visit,
  { text, kind }: SearchQuery,
  found: SearchResults,
): Promise<readonly Markup[]> {
  const { seen: read } = visit.deps
  const marker = markerOf(text)
  const ids = JSON.stringify(found.ids)
  if (kind === 'users') return (await foundUsers(read, { ids })).map((user) => userRow(visit, user, marker))
  if (kind !== 'works')
    return (await foundNames[kind](read, { ids })).map((one) => nameRow(visit, one, marker))
  const user = visit.session?.userId ?? 0
  const works = await foundWorks(read, { ids, user })
  const seen = new Map((await lastViewings(read, { ids, user })).map((one) => [one.work_id, one]))
  return works.map((work) => workRow(visit, { ...work, seen: seen.get(work.id) }, marker))
}

/** A character, a person or an organization. */
function nameRow({ t }: Visit, found: FoundName, marker: Marker): Markup {
  const { name, name_kana, name_en, series, credits } = found
  const other = marker.isIn(name) ? undefined : [name_en, name_kana].find(marker.isIn)
  return html`<li class="row" data-found="${found.id}"><div class="text">
      <span class="name" lang="ja">${marker.mark(name)}</span>
      ${other === undefined ? '' : html`<p class="meta other">${marker.mark(other)}</p>`}
      ${series === '' ? '' : html`<p class="meta" lang="ja">${series}</p>`}
      ${credits === 0 ? '' : html`<p class="meta">${t.search.credits(credits)}</p>`}
    </div></li>`
}

function userRow(visit: Visit, user: FoundUser, marker: Marker): Markup {
  const { id, username, name } = user
  return html`<li class="row" data-found="${id}">${userAvatar(visit, user)}<div class="text">
      <a class="name" href="${visit.basePath}/@${username}">${marker.mark(name === '' ? username : name)}</a>
      <p class="meta">@${marker.mark(username)}</p>
    </div></li>`
}

/** A link per kind of results, with their number. */
function kindLinks({ t, basePath }: Visit, asked: SearchQuery, found: SearchResults): Markup {
  const links = found.counts.map(([kind, count]) => {
    const path = searchPath({ ...asked, kind, page: 1 })
    const figure = count === undefined ? '' : html` <span class="figure">${t.search.figure(count)}</span>`
    const current = kind === asked.kind ? html` aria-current="page"` : ''
    return html`<a class="chip" href="${basePath}${path}"${current}>${t.search.kinds[kind]}${figure}</a>`
  })
  return html`<nav class="chips" aria-label="${t.search.kindsTitle}">${links}</nav>`
}

/** Links to the pages before and after, if there are several. */
function pageLinks({ t, basePath }: Visit, asked: SearchQuery, { page, pages }: SearchResults): Markup {
  if (pages === 1) return html``
  const to = (other: number) => `${basePath}${searchPath({ ...asked, page: other })}`
  const before =
    page === 1
      ? ''
      : html`<a class="button small" rel="prev" href="${to(page - 1)}">${icon('back', 16)}${t.common.previous}</a>`
  const after =
    page === pages
      ? ''
      : html`<a class="button small" rel="next" href="${to(page + 1)}">${t.common.next}${icon('next', 16)}</a>`
  return html`<nav class="turn" aria-label="${t.search.pagesTitle}">${before}<span class="meta">${t.search.page(page, pages)}</span>${after}</nav>`
}
