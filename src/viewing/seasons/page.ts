import { html, type Markup } from '../../pages/html'
import { waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { anyone } from '../../web/access'
import { definePage, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import type { Visit } from '../../web/visit'
import { parseSeason, ranksOf, type Season, seasonAfter, seasonAt } from '../parts/season'
import { seasonBar, seasonTitle } from './bar'
import { seasonCard } from './card'
import { type Choice, readChoice, seasonPath } from './choice'
import { countOf, filters } from './filters'
import { seasonList } from './list'
import { pageLinks } from './page-links'
import { type SeasonWork, seasonCounts, seasonWorks, yearsWithWorks } from './queries'

/** `/seasons/now`, `next`, `last` lead to the season that they mean today. */
export const seasonPages: readonly PageRoute[] = [
  ...Object.entries({ now: 0, next: 1, last: -1 }).map(([word, by]) => seasonByWord(word, by)),
  definePage({ path: '/seasons/:season', access: anyone, show: showSeason }),
]

function seasonByWord(word: string, by: number): PageRoute {
  return definePage({
    path: `/seasons/${word}`,
    access: anyone,
    show: (visit) => {
      const { now, preferences } = visit.pageContext
      const season = seasonAfter(seasonAt(now, preferences.timeZone), by)
      if (season === undefined) throw pageNotFound()
      return seeOther(visit, seasonPath(season, readChoice(visit)))
    },
  })
}

async function showSeason(visit: Visit): Promise<PageContent> {
  const { pageContext, params } = visit
  const season = parseSeason(params.season ?? '')
  if (season === undefined) throw pageNotFound()
  const { read } = visit.deps
  const own = { user: visit.session?.userId ?? 0, ...ranksOf(season) }
  const counts = await seasonCounts(read, own)
  const asked = readChoice(visit)
  const total = countOf(counts, asked)
  const pages = Math.max(1, Math.ceil(total / perPage))
  const choice = { ...asked, page: Math.min(asked.page, pages) }
  const works = await worksOf(visit, own, choice)
  const years = (await yearsWithWorks(read, {})).map(({ year }) => year)
  const title = seasonTitle(pageContext, season)
  const main = html`<div class="seasons-page">
    <div class="head"><h1>${title} <small>${String(total)}</small></h1>${seasonBar(pageContext, { season, choice }, years)}</div>
    ${counts.length === 0 ? '' : filters(visit, { season, choice, counts })}
    ${works.length === 0 ? nothing(visit, season, counts.length > 0) : content(visit, { season, choice, works })}
    ${pageLinks(pageContext, { season, choice }, pages)}
  </div>`
  return { title, main, place: 'find' }
}

/** Whole rows of 3 and of 8 cards. */
const perPage = 48

const worksOf = ({ deps, pageContext }: Visit, own: Own, { media, status, sort, page }: Choice) =>
  seasonWorks[sort](deps.read, {
    ...own,
    media,
    status,
    titles: pageContext.preferences.titleLanguage,
    limit: perPage,
    offset: (page - 1) * perPage,
  })

interface Own {
  readonly user: number
  readonly from: number
  readonly until: number
}

interface Content {
  readonly season: Season
  readonly choice: Choice
  readonly works: readonly SeasonWork[]
}

const content = (visit: Visit, shown: Content): Markup =>
  shown.choice.view === 'list'
    ? seasonList(visit, shown)
    : html`<ul class="cards">${shown.works.map((work) => seasonCard(visit, work))}</ul>`

/** No works at all, or none that the filters leave. */
function nothing({ pageContext }: Visit, season: Season, isFiltered: boolean): Markup {
  const { t, basePath } = pageContext
  const [text, explained] = isFiltered
    ? [t.seasons.noneLeft, t.seasons.noneLeftExplained]
    : [t.seasons.noWorks, t.seasons.noWorksExplained]
  const way = isFiltered
    ? html`<a class="button filled" href="${basePath}${seasonPath(season, cleared)}">${t.seasons.clear}</a>`
    : html`<a class="button filled" href="${basePath}/seasons/now">${t.seasons.now}</a>`
  return html`<div class="nothing">${waves()}<h2>${text}</h2><p>${explained}</p>${way}</div>`
}

const cleared: Choice = { media: '', status: '', sort: 'known', view: 'grid', page: 1 }
