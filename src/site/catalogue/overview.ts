import { type DefaultCatalogueState, stateOfLoaded } from '../../catalogue/default-catalogue'
import { shownCount } from '../../catalogue/shown'
import type { Read } from '../../db/open'
import { newestDay } from '../../pages/about-data'
import { choiceList } from '../../pages/choices'
import { html, type Markup } from '../../pages/html'
import { type PageContext, reloading } from '../../pages/layout'
import { lastRuns } from '../../sources/run/runs'
import { scopeOf } from '../../sources/run/scope'
import { listSources } from '../../sources/run/settings'
import { administrator, definePage } from '../../web/page'
import { adminPage } from '../admin/tabs'
import { runTable } from './run-table'
import { figure, runningLink, runningOf, titleOf } from './run-text'
import { sourceTable } from './source-table'
import { declaredSources } from './source-text'

/** How current the catalogue is, the sources that can keep it current, and what they last brought. */
export const adminCatalogue = definePage({
  path: '/admin/catalogue',
  access: administrator,
  show: async (visit) => {
    const {
      deps: { read },
      t,
    } = visit
    const sources = await declaredSources()
    const [listed, runs] = [await listSources(read, sources), await lastRuns(read, 10)]
    const running = runningOf(runs)
    const main = html`${await extent(visit, read)}
      ${runningLink(visit, running, titleOf(sources, running?.source ?? ''))}
      <h2>${t.catalogue.sources}</h2>
      <p class="meta">${t.catalogue.sourcesExplained}</p>
      ${sourceTable(visit, listed)}
      <h2>${t.catalogue.latestRuns}</h2>
      ${runTable(visit, runs, sources)}
      ${choiceList(visit, t.catalogue.check, [
        { path: '/admin/catalogue/missing_ids', name: t.catalogue.missingIds },
        { path: '/catalogue/twins', name: t.merging.twins },
        { path: '/admin/catalogue/mappings', name: t.mappings.title },
      ])}`
    return adminPage(visit, 'catalogue', { main, ...(running && { head: reloading }) })
  },
})

async function extent(pageContext: PageContext, read: Read): Promise<Markup> {
  const { t } = pageContext
  const { seasons, defaultCatalogue, ...counts } = await extentOf(read, pageContext.now)
  const one = (name: string, count: number) =>
    html`<div><dt>${name}</dt><dd>${figure(pageContext, count)}</dd></div>`
  const kinds = ['works', 'episodes', 'estimated', 'people'] as const
  const upTo = defaultCatalogue === 'none' ? '' : html` <small>${t.catalogue.upTo(newestDay)}</small>`
  return html`<dl class="figures">${kinds.map((kind) => one(t.catalogue[kind], counts[kind]))}</dl>
    <h2>${t.catalogue.bySeason}</h2>
    <dl class="figures">${seasons.map(({ year, season, count }) => one(t.seasons.of(year, t.seasons.names[season]), count))}</dl>
    <dl><dt>${t.catalogue.defaultCatalogue}</dt><dd>${t.catalogue.defaultStates[defaultCatalogue]}${upTo}</dd></dl>`
}

interface SeasonCount {
  readonly year: number
  readonly season: 'winter' | 'spring' | 'summer' | 'autumn'
  readonly count: number
}

interface Extent {
  readonly works: number
  readonly episodes: number
  readonly estimated: number
  readonly people: number
  /** The seasons that sources are usually asked about. */
  readonly seasons: readonly SeasonCount[]
  readonly defaultCatalogue: DefaultCatalogueState
}

/** Counts only what is shown. Walks all episodes to count the estimated ones. */
async function extentOf(read: Read, now: number): Promise<Extent> {
  const counts = await read
    .selectNoFrom((['works', 'episodes', 'people'] as const).map((table) => shownCount(table).as(table)))
    .executeTakeFirstOrThrow()
  const estimated = await read
    .selectFrom('episodes')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('estimated', '=', 1)
    .where('hidden', '=', 0)
    .executeTakeFirstOrThrow()
  return {
    ...counts,
    estimated: estimated.n,
    seasons: await seasonCounts(read, now),
    defaultCatalogue: await loadedState(read),
  }
}

const names = ['winter', 'spring', 'summer', 'autumn'] as const

/** Uses works_season. */
async function seasonCounts(read: Read, now: number): Promise<SeasonCount[]> {
  const seasons = scopeOf({}, now).seasons.map((text) => {
    const place = names.findIndex((name) => text.endsWith(name))
    return {
      year: Number.parseInt(text, 10),
      season: names[place] ?? 'winter',
      rank: Number.parseInt(text, 10) * 10 + place + 1,
    }
  })
  const rows = await read
    .selectFrom('works')
    .select(({ fn }) => ['season_rank', fn.countAll<number>().as('count')])
    .where('hidden', '=', 0)
    .where(
      'season_rank',
      'in',
      seasons.map(({ rank }) => rank),
    )
    .groupBy('season_rank')
    .execute()
  return seasons.map(({ rank, ...season }) => ({
    ...season,
    count: rows.find((row) => row.season_rank === rank)?.count ?? 0,
  }))
}

async function loadedState(read: Read): Promise<DefaultCatalogueState> {
  const loaded = await read
    .selectFrom('instance')
    .select('value')
    .where('name', '=', 'default_catalogue')
    .executeTakeFirst()
  return stateOfLoaded(loaded?.value)
}
