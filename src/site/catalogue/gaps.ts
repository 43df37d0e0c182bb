import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { prepared, type SlotOf } from '../../db/prepared'
import { localTime } from '../../lib/local-time'
import { html, type Markup } from '../../pages/html'
import { type PageContext, titled } from '../../pages/layout'
import { table } from '../../pages/table'
import { administrator, definePage } from '../../web/page'
import { queryText } from '../../web/visit'
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

interface Gap {
  readonly id: number
  readonly title: string
  readonly season_year: number | null
  readonly media: 'tv' | 'ova' | 'movie' | 'web' | 'other'
  readonly watchers_count: number
  /** 1 if the work has an id there. */
  readonly has_annict: number
  readonly has_mal: number
  readonly count: number
}

/**
 * Works without an id at Annict or MyAnimeList that have watchers or are of one of the latest seasons, most watchers
 * first. `from`: a value of `season_rank`. Walks the works, and uses external_ids_local.
 */
const worksWithoutIds = prepared(
  (read: Read, slot: SlotOf<{ from: number; limit: number; offset: number }>) =>
    read
      .selectFrom('works')
      .select(['id', 'title', 'season_year', 'watchers_count'])
      .select([
        sql<Gap['media']>`media`.as('media'),
        hasId('annict').as('has_annict'),
        hasId('mal').as('has_mal'),
        sql<number>`count(*) over ()`.as('count'),
      ])
      .where('hidden', '=', 0)
      .where(sql<boolean>`(watchers_count > 0 or season_rank >= ${slot('from')})`)
      .where(sql<boolean>`not (${hasId('annict')} and ${hasId('mal')})`)
      .orderBy('watchers_count', 'desc')
      .orderBy('season_rank', 'desc')
      .orderBy('id')
      .limit(slot('limit'))
      .offset(slot('offset')),
)

const hasId = (namespace: string) =>
  sql<number>`exists (select 1 from external_ids indexed by external_ids_local
    where local_id = works.id and kind = 'work' and ns = ${sql.lit(namespace)})`

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
