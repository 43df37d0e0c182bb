import { html, type Markup } from '../../pages/html'
import { day } from '../../pages/moment'
import { partialDate } from '../../pages/partial-date'
import type { Visit } from '../../web/visit'
import { cover, workPath } from '../parts/cover'
import type { Season } from '../parts/season'
import { workTitle } from '../parts/title'
import type { Choice } from './choice'
import { seasonPath } from './choice'
import type { SeasonWork } from './queries'
import { ownStatus } from './status'

interface List {
  readonly season: Season
  readonly choice: Choice
  readonly works: readonly SeasonWork[]
}

/** Its heads are links that sort. */
export function seasonList(visit: Visit, { season, choice, works }: List): Markup {
  const { t, basePath } = visit.pageContext
  const head = (sort: Choice['sort'], name: string, kind = '') =>
    html`<th scope="col"${kind && html` class="${kind}"`}${sort === choice.sort ? html` aria-sort="${sort === 'known' ? 'descending' : 'ascending'}"` : ''}><a href="${basePath}${seasonPath(season, choice, { sort })}">${name}</a></th>`
  const own = visit.session === undefined ? '' : html`<th scope="col">${t.seasons.status}</th>`
  return html`<table class="dense">
    <thead><tr><th></th>${head('title', t.seasons.byTitle)}<th scope="col" class="wide-only">${t.work.medium}</th>${head('start', t.seasons.start, 'wide-only')}${head('known', t.seasons.watchers, 'number wide-only')}${own}</tr></thead>
    <tbody>${works.map((work) => row(visit, work))}</tbody></table>`
}

function row(visit: Visit, work: SeasonWork): Markup {
  const { pageContext, session } = visit
  const { t } = pageContext
  const { id, media, watchers_count } = work
  const own = session === undefined ? '' : html`<td>${ownStatus(visit, work)}</td>`
  return html`<tr id="row-${id}" data-work="${id}"><td>${cover(pageContext, work)}</td><th scope="row"><a href="${workPath(pageContext, id)}">${workTitle(pageContext, work)}</a></th><td class="wide-only">${medium(t.media, media)}</td><td class="wide-only">${start(visit, work)}</td><td class="number wide-only">${watchers_count === 0 ? '' : watchers_count.toLocaleString('en')}</td>${own}</tr>
`
}

/** The day of the first broadcast as Japan's schedules have it, where no other is known. */
function start({ pageContext }: Visit, { released_on, broadcast_begin }: SeasonWork): Markup | '' {
  if (released_on !== '') return partialDate(pageContext, released_on)
  return broadcast_begin === null ? '' : day(pageContext, broadcast_begin)
}

const medium = (words: Readonly<Record<string, string>>, name: string): string => words[name] ?? name
