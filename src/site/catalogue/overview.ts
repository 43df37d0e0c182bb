import type { Read } from '../../db/open'
import { newestDay } from '../../pages/about-data'
import { choiceList } from '../../pages/choices'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { reloading } from '../../pages/reloading'
import { lastRuns } from '../../sources/run/runs'
import { listSources } from '../../sources/run/settings'
import { administrator, definePage } from '../../web/page'
import { adminPage } from '../admin/tabs'
import { extentOf } from './queries'
import { runTable } from './run-table'
import { figure } from './run-text'
import { runningLink, runningOf, titleOf } from './running'
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
        { path: '/admin/catalogue/twins', name: t.catalogue.twins },
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
