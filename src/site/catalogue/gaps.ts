import { localTime } from '../../lib/local-time'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { table } from '../../pages/table'
import { titled } from '../../pages/titled'
import { administrator, definePage } from '../../web/page'
import { queryText } from '../../web/visit'
import { findTwins, type Gap, type Twin, worksWithoutIds } from './gap-queries'
import { figure } from './run-text'

const pageLength = 50

/** Query parameter: `page`. */
export const missingIds = definePage({
  path: '/admin/catalogue/missing_ids',
  access: administrator,
  show: async (visit) => {
    const { deps, t } = visit
    const page = pageNumber(queryText(visit, 'page'))
    const from = rankOfYearBefore(visit.now)
    const gaps = await worksWithoutIds(deps.read, {
      from,
      limit: pageLength,
      offset: (page - 1) * pageLength,
    })
    return titled(
      t.catalogue.missingIds,
      html`<p>${t.catalogue.missingExplained}</p>
      ${gaps.length === 0 ? html`<p class="soft">${t.catalogue.missingNone}</p>` : gapTable(visit, gaps)}
      ${pager(visit, page, gaps[0]?.count ?? 0)}`,
    )
  },
})

/** `season_rank` of last year's winter, the first season that counts as recent. */
const rankOfYearBefore = (now: number) => (localTime(now, 'Asia/Tokyo').year - 1) * 10 + 1

const pageNumber = (text: string) => (/^[1-9][0-9]{0,5}$/.test(text) ? Number(text) : 1)

function gapTable(pageContext: PageContext, gaps: readonly Gap[]): Markup {
  const { t } = pageContext
  const missingOf = ({ has_annict, has_mal }: Gap) =>
    [...(has_annict === 1 ? [] : ['Annict']), ...(has_mal === 1 ? [] : ['MyAnimeList'])].join(', ')
  return table(gaps, [
    [t.catalogue.work, (gap) => workLink(pageContext, gap)],
    [t.catalogue.year, (gap) => mediumAndYear(pageContext, gap)],
    [t.catalogue.missing, missingOf],
    [t.catalogue.watchers, ({ watchers_count }) => figure(pageContext, watchers_count)],
  ])
}

const workLink = ({ basePath }: PageContext, { id, title }: { id: number; title: string }): Markup =>
  html`<a href="${basePath}/works/${id}" lang="ja">${title}</a>`

const mediumAndYear = ({ t }: PageContext, { season_year, media }: Pick<Gap, 'season_year' | 'media'>) =>
  [t.media[media], ...(season_year === null ? [] : [String(season_year)])].join(' · ')

function pager({ t, basePath }: PageContext, page: number, count: number): Markup {
  const link = (to: number, rel: string, label: string) =>
    html`<a href="${basePath}/admin/catalogue/missing_ids?page=${to}" rel="${rel}">${label}</a>`
  return html`<p>${page > 1 ? link(page - 1, 'prev', t.common.previous) : ''}
    ${page * pageLength < count ? link(page + 1, 'next', t.common.next) : ''}</p>`
}

export const twinWorks = definePage({
  path: '/admin/catalogue/twins',
  access: administrator,
  show: async (visit) => {
    const { deps, t } = visit
    const found = await findTwins(deps.read)
    const none = html`<p class="soft">${t.catalogue.twinsNone}</p>`
    return titled(
      t.catalogue.twins,
      html`
      ${found.length === 0 ? none : twinList(visit, found)}`,
    )
  },
})

function twinList(pageContext: PageContext, found: readonly Twin[]): Markup {
  const { t } = pageContext
  const list = table(found, [
    [t.catalogue.twinsKept, (twin) => workLink(pageContext, twin)],
    [t.catalogue.twinsMerged, ({ other_id, title }) => workLink(pageContext, { id: other_id, title })],
    [t.catalogue.year, (twin) => mediumAndYear(pageContext, twin)],
    [t.catalogue.twinsFile, mergeFile],
  ])
  return html`<p>${t.catalogue.twinsExplained} <code>kiroku catalogue import merge.jsonl</code></p>${list}`
}

/** Two lines of a catalogue file in the administrators' name, which no source overrules. Some works no file can name. */
function mergeFile({ key, other_key }: Twin): Markup {
  if (key === null || other_key === null) return html`–`
  const lines = [
    { type: 'catalogue', version: 1, name: 'admin' },
    { type: 'work', key: other_key, merged_into: key },
  ]
  return html`<pre><code>${lines.map((line) => JSON.stringify(line)).join('\n')}</code></pre>`
}
