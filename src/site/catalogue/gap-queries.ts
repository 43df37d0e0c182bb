import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { prepared, preparedSql, type SlotOf } from '../../db/prepared'

export interface Gap {
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
export const worksWithoutIds = prepared(
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

export interface Twin {
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

const keyOf = (id: string) => sql<string | null>`(
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
      ${keyOf('first_id')} as key, ${keyOf('id')} as other_key
    from ranked where place > 1 order by first_id limit ${sql.lit(mostTwins)}`,
)
