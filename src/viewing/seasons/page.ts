import { html, type Markup } from '../../pages/html'
import { waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { day } from '../../pages/moment'
import { searchForm } from '../../pages/navigation'
import { partialDate } from '../../pages/partial-date'
import { chosenTitle } from '../../pages/title'
import { catalogueReader, definePage, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { returnTarget } from '../../web/return-to'
import { queryText, type Visit } from '../../web/visit'
import { actsByKey } from '../parts/act-form'
import { cardTitle, cover, workPath } from '../parts/cover'
import { pageLinks, pageNumber } from '../parts/page-links'
import { parseSeason, ranksOf, type Season, seasonAfter, seasonAt } from '../parts/season'
import { statusButton, statusMark } from '../parts/status'
import { countOf, filters, readChoice, type SeasonChoice, seasonBar, seasonPath, seasonTitle } from './bar'
import { type SeasonWork, seasonCounts, seasonWorks, yearsWithWorks } from './queries'

/** `/seasons/now`, `next` and `last` redirect to the season they currently mean. */
export const seasonPages: readonly PageRoute[] = [
  ...Object.entries({ now: 0, next: 1, last: -1 }).map(([word, by]) => seasonByWord(word, by)),
  definePage({ path: '/seasons/:season', access: catalogueReader, show: showSeason }),
]

function seasonByWord(word: string, by: number): PageRoute {
  return definePage({
    path: `/seasons/${word}`,
    access: catalogueReader,
    show: (visit) => {
      const { now, preferences } = visit
      const season = seasonAfter(seasonAt(now, preferences.timeZone), by)
      if (season === undefined) throw pageNotFound()
      return seeOther(visit, seasonPath(season, readChoice(visit)))
    },
  })
}

async function showSeason(visit: Visit): Promise<PageContent> {
  const season = parseSeason(visit.params.season ?? '')
  if (season === undefined) throw pageNotFound()
  const { seen: read } = visit.deps
  const own = { user: visit.session?.userId ?? 0, ...ranksOf(season) }
  const counts = await seasonCounts(read, own)
  const choice = readChoice(visit)
  const pages = Math.ceil(countOf(counts, choice) / perPage[choice.view])
  const page = pageNumber(queryText(visit, 'page'), pages)
  const works = await worksOf(visit, own, choice, page)
  const years = (await yearsWithWorks(read, {})).map(({ year }) => year)
  const title = seasonTitle(visit, season)
  const main = html`<div class="seasons-page">
    ${visit.session === undefined ? searchForm(visit, undefined, false) : ''}
    <div class="head"><h1>${title} <small>${String(countOf(counts, choice))}</small></h1>${seasonBar(visit, { season, choice }, years)}</div>
    ${counts.length === 0 ? '' : filters(visit, { season, choice, counts })}
    ${works.length === 0 ? nothing(visit, { season, choice, isFiltered: counts.length > 0 }) : content(visit, { season, choice, works })}
    ${pageLinks(visit, visit.basePath + seasonPath(season, choice), { page, pages })}
    ${visit.session === undefined ? '' : actsByKey({ ...visit, session: visit.session })}
  </div>`
  return { title, main, place: 'find' }
}

/** Full rows of 3 and of 8 cards. The list has fewer, because its rows take more HTML: a page has at most 50 KB. */
const perPage = { grid: 48, list: 40 } as const

const worksOf = (
  { deps, preferences }: Visit,
  own: Own,
  { media, status, sort, view }: SeasonChoice,
  page: number,
) =>
  seasonWorks[sort](deps.seen, {
    ...own,
    media,
    status,
    titles: preferences.titleLanguage,
    limit: perPage[view],
    offset: (page - 1) * perPage[view],
  })

interface Own {
  readonly user: number
  readonly from: number
  readonly until: number
}

interface SeasonsView {
  readonly season: Season
  readonly choice: SeasonChoice
}

const content = (visit: Visit, shown: SeasonsView & { works: readonly SeasonWork[] }): Markup =>
  shown.choice.view === 'list'
    ? seasonList(visit, shown)
    : html`<ul class="cards">${shown.works.map((work) => seasonCard(visit, work))}</ul>`

/** There are no works, or none that match the filters. */
function nothing(
  { t, basePath }: Visit,
  { season, choice, isFiltered }: SeasonsView & { isFiltered: boolean },
): Markup {
  const [text, explained] = isFiltered
    ? [t.seasons.noneLeft, t.seasons.noneLeftExplained]
    : [t.seasons.noWorks, t.seasons.noWorksExplained]
  const way = isFiltered
    ? html`<a class="button filled" href="${basePath}${seasonPath(season, choice, { media: '', status: '' })}">${t.seasons.clear}</a>`
    : html`<a class="button filled" href="${basePath}/seasons/now">${t.seasons.now}</a>`
  return html`<div class="nothing">${waves()}<h2>${text}</h2><p>${explained}</p>${way}</div>`
}

interface List {
  readonly season: Season
  readonly choice: SeasonChoice
  readonly works: readonly SeasonWork[]
}

function seasonList(visit: Visit, { season, choice, works }: List): Markup {
  const { t, basePath } = visit
  const head = (sort: SeasonChoice['sort'], name: string) =>
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

/** One press plans a work; a status is changed in a dialog, because a menu per card would double the page's size. */
function ownStatus(visit: Visit, work: SeasonWork): Markup | '' {
  const { session, t } = visit
  if (session === undefined) return ''
  const { id, kind } = work
  const title = chosenTitle(visit, work).text
  if (kind === null)
    return statusButton(visit, { workId: id, title, kind: 'wanna_watch', swap: `#row-${id}, #filters` })
  const name = t.statuses.setTo(title, t.statuses[kind])
  const path = `${workPath(visit, id)}/status?return_to=${returnTarget(visit)}`
  return html`<a class="chosen-status" href="${path}" data-dialog data-focus="wanna_watch-${id}" aria-label="${name}">${statusMark(t, kind)}</a>`
}

/** The release date; if unknown, the day of the first broadcast in the reader's time zone. */
function start(visit: Visit, { released_on, broadcast_begin }: SeasonWork): Markup | '' {
  if (released_on !== '') return partialDate(visit, released_on)
  return broadcast_begin === null ? '' : day(visit, broadcast_begin)
}

const medium = (words: Readonly<Record<string, string>>, name: string): string => words[name] ?? name

function seasonCard(visit: Visit, work: SeasonWork): Markup {
  const { id, kind } = work
  const { lang, lines } = cardTitle(visit, work)
  return html`<li class="card${kind === null ? '' : ' dimmed'}" id="row-${id}" data-work="${id}">${cover(visit, work, 160)}<a class="name" href="${workPath(visit, id)}" lang="${lang}">${lines}</a>${ownStatus(visit, work)}</li>
`
}
