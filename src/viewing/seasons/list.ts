import { html, type Markup } from '../../pages/html'
import { day } from '../../pages/moment'
import { partialDate } from '../../pages/partial-date'
import type { Visit } from '../../web/visit'
import { cardTitle } from '../parts/card-title'
import { cover, workPath } from '../parts/cover'
import type { Season } from '../parts/season'
import { type Choice, seasonPath } from './choice'
import type { SeasonWork } from './queries'
import { ownStatus } from './status'

interface List {
  readonly season: Season
  readonly choice: Choice
  readonly works: readonly SeasonWork[]
}

export function seasonList(visit: Visit, { season, choice, works }: List): Markup {
  const { t, basePath } = visit
  const head = (sort: Choice['sort'], name: string) =>
    html`<th scope="col"${sort === choice.sort ? html` aria-sort="${sort === 'known' ? 'descending' : 'ascending'}"` : ''}><a href="${basePath}${seasonPath(season, choice, { sort })}">${name}</a></th>`
  const own = visit.session === undefined ? '' : html`<th scope="col">${t.seasons.status}</th>`
  return html`<table class="dense">
    <thead><tr><td></td>${head('title', t.seasons.byTitle)}<th scope="col">${t.work.medium}</th>${head('start', t.seasons.start)}${head('known', t.seasons.watchers)}${own}</tr></thead>
    <tbody>${works.map((work) => row(visit, work))}</tbody></table>`
}

function row(visit: Visit, work: SeasonWork): Markup {
  const { session, t } = visit
  const { id, media, watchers_count } = work
  const { lang, lines } = cardTitle(visit, work)
  const own = session === undefined ? '' : html`<td>${ownStatus(visit, work)}</td>`
  return html`<tr id="row-${id}" data-work="${id}"><td>${cover(visit, work, 20)}</td><th scope="row"><a class="title" href="${workPath(visit, id)}" lang="${lang}">${lines}</a></th><td>${medium(t.media, media)}</td><td>${start(visit, work)}</td><td>${watchers_count === 0 ? '' : watchers_count.toLocaleString('en')}</td>${own}</tr>
`
}

/** The release date; if unknown, the day of the first broadcast in the reader's time zone. */
function start(visit: Visit, { released_on, broadcast_begin }: SeasonWork): Markup | '' {
  if (released_on !== '') return partialDate(visit, released_on)
  return broadcast_begin === null ? '' : day(visit, broadcast_begin)
}

const medium = (words: Readonly<Record<string, string>>, name: string): string => words[name] ?? name
