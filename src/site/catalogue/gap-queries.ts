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

/** Shown works with the same year, medium and title, ignoring spaces and case; at most 200. Walks the works. */
export const twins = preparedSql<Twin, Record<string, never>>(
  () => sql<Twin>`
    with folded as materialized (
      select id, season_year, media, lower(replace(replace(title, ' ', ''), '　', '')) as folded
      from works where hidden = 0 and season_year is not null
    ), same as (
      select folded, season_year, media from folded group by 1, 2, 3 having count(*) > 1
    ), ranked as (
      select works.id, works.title, works.season_year, works.media, first_value(works.id) over best as first_id,
        row_number() over best as place
      from same join folded using (folded, season_year, media) join works on works.id = folded.id
      window best as (partition by same.folded, works.season_year, works.media order by watchers_count desc, works.id)
    )
    select first_id as id, id as other_id, title, season_year, media,
      ${keyOf('first_id')} as key, ${keyOf('id')} as other_key
    from ranked where place > 1 order by season_year desc, first_id limit 200`,
)
