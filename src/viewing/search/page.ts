import { userAvatar } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { searchForm } from '../../pages/navigation'
import { catalogueReader, definePage, member } from '../../web/page'
import { returnTarget } from '../../web/return-to'
import type { Visit } from '../../web/visit'
import { actsByKey } from '../parts/acts-by-key'
import { type Asked, askedOf, isTooLong } from './asked'
import { type Found, find } from './found'
import { kindLinks, pageLinks } from './links'
import { type Marker, markerOf } from './marked'
import { type FoundName, type FoundUser, foundNames, foundUsers, foundWorks, lastViewings } from './queries'
import { missing, nothingFound, nothingTyped, tooLong } from './states'
import { workRow } from './work-row'

/** The results for a text, by relevance: `?q=&kind=&page=`. */
export const searchPage = definePage({ path: '/search', access: searcher, show: showSearch })

/** Only members may search for users. */
function searcher(visit: Visit): Visit {
  return askedOf(visit).kind === 'users' ? member(visit) : catalogueReader(visit)
}

async function showSearch(visit: Visit): Promise<PageContent> {
  const { t } = visit
  const asked = askedOf(visit)
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
  { text, kind }: Asked,
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

async function results(visit: Visit, asked: Asked, found: Found): Promise<Markup> {
  if (found.total === 0) return nothingFound(visit, asked)
  const hint =
    asked.kind === 'works'
      ? html`<p class="meta">${visit.t.search.hint}${visit.t.common.gap}${missing(visit)}</p>`
      : ''
  return html`${toSignIn(visit, asked)}<ul class="rows"${asked.kind === 'works' ? html` data-rows` : ''}>${await rows(visit, asked, found)}</ul>
      ${pageLinks(visit, asked, found)}${hint}`
}

function toSignIn(visit: Visit, { kind }: Asked): Markup {
  const { session, t, basePath } = visit
  if (session !== undefined || kind !== 'works') return html``
  return html`<p class="meta"><a href="${basePath}/sign_in?return_to=${returnTarget(visit)}">${t.search.signIn}</a></p>`
}

async function rows(visit: Visit, { text, kind }: Asked, found: Found): Promise<readonly Markup[]> {
  const { read } = visit.deps
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
