import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { prepared, preparedSql, type SlotOf } from '../../db/prepared'
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

interface Twin {
  /** The work with more watchers; if equal, the older row. */
  readonly id: number
  readonly other_id: number
  readonly title: string
  readonly season_year: number
  readonly media: Gap['media']
  /** Such as `bangumi:512`; null for a row without a key. */
  readonly key: string | null
  readonly other_key: string | null
}

const shownKey = (id: string) => sql<string | null>`(
  select ns || ':' || external_id from external_ids indexed by external_ids_local
  where local_id = ranked.${sql.ref(id)} and kind = 'work' and is_key = 1 limit 1)`

/** Shown works with the same year, medium and title, ignoring spaces and case, latest first; at most 200. */
export async function findTwins(read: Read): Promise<readonly Twin[]> {
  const [range] = await years(read, {})
  const found: Twin[] = []
  for (let year = range?.last ?? 0; year >= (range?.first ?? 1) && found.length < mostTwins; year--) {
    found.push(...(await twinsOfYear(read, { from: year * 10, until: year * 10 + 9 })))
    // A query of all works takes a tenth of a second, in which nobody else would be answered.
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return found.slice(0, mostTwins)
}

const mostTwins = 200

// uses works_season
const years = preparedSql<{ first: number | null; last: number | null }, Record<string, never>>(
  () => sql`
    select (select min(season_rank) from works where hidden = 0 and season_rank > 0) / 10 as first,
      (select max(season_rank) from works where hidden = 0) / 10 as last`,
)

// uses works_season
const twinsOfYear = preparedSql<Twin, { from: number; until: number }>(
  (slot) => sql<Twin>`
    with folded as materialized (
      select id, media, lower(replace(replace(title, ' ', ''), '　', '')) as folded
      from works where hidden = 0 and season_rank between ${slot('from')} and ${slot('until')}
    ), same as (
      select folded, media from folded group by 1, 2 having count(*) > 1
    ), ranked as (
      select works.id, works.title, works.season_year, works.media, first_value(works.id) over best as first_id,
        row_number() over best as place
      from same join folded using (folded, media) join works on works.id = folded.id
      window best as (partition by same.folded, works.media order by watchers_count desc, works.id)
    )
    select first_id as id, id as other_id, title, season_year, media,
      ${shownKey('first_id')} as key, ${shownKey('id')} as other_key
    from ranked where place > 1 order by first_id limit ${sql.lit(mostTwins)}`,
)

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
