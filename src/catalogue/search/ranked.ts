import { sql } from 'kysely'
import type { Read } from '../../db/open'
import type { SlotOf } from '../../db/prepared'
import { perKind } from './per-kind'
import type { SearchKind } from './texts'
import type { Hits } from './ways/scores'

/**
 * Visible rows by score; unordered unless `isRanked`, since ranking takes longer than the look-up. Works with equal scores
 * are ordered by series, the most popular first, and within a series by `orders`, after the part that began it.
 */
export async function ranked(
  read: Read,
  kind: SearchKind,
  hits: Hits,
  isRanked: boolean,
): Promise<readonly number[]> {
  if (hits.best === 0) return []
  const query = isRanked || hits.size > mostRanked ? rankedRows : shownRows
  return (await query(kind)(read, { hits: hits.toJson(), limit: mostRanked })).map(({ id }) => id)
}

const orders = {
  characters: sql`favorite_characters_count desc, length(name)`,
  people: sql`favorite_people_count desc, casts_count + staffs_count desc, length(name)`,
  organizations: sql`favorite_organizations_count desc, staffs_count desc, length(name)`,
  series: sql`length(name)`,
} as const

type Hit = { hits: string; limit: number }

const shownRows = perKind<{ id: number }, Hit>(
  (kind, slot) => sql`
    select row.id from json_each(${slot('hits')}) as hit
    cross join ${sql.table(kind)} as row on row.id = cast(hit.key as integer)
    where row.hidden = 0 limit ${slot('limit')}`,
)

const rankedRows = perKind<{ id: number }, Hit>((kind, slot) =>
  kind === 'works'
    ? rankedWorks(slot)
    : sql`
      select row.id from json_each(${slot('hits')}) as hit
      cross join ${sql.table(kind)} as row on row.id = cast(hit.key as integer)
      where row.hidden = 0 order by hit.value desc, ${orders[kind]}, row.id limit ${slot('limit')}`,
)

/** Of a series' works with one score, the first of those that are about as well known takes the place of the best known. */
const rankedWorks = (slot: SlotOf<Hit>) => sql<{ id: number }>`
  with found as (
    select row.id, hit.value as score, media, season_rank, length(title) as length,
      popularity + log2(1 + watchers_count) as renown,
      ifnull((select min(series_id) from series_works where work_id = row.id), -row.id) as series
    from json_each(${slot('hits')}) as hit cross join works as row on row.id = cast(hit.key as integer)
    where row.hidden = 0),
  compared as (select *, max(renown) over (partition by score, series) as highest from found),
  ordered as (
    select *, row_number() over (
      partition by score, series
      order by renown < 0.7 * highest, season_rank nulls last, media <> 'tv', length, id) as part
    from compared)
  select id from ordered
  order by score desc, iif(part = 1, highest, renown) desc, part > 1, media <> 'tv', season_rank nulls last, length, id
  limit ${slot('limit')}`

/** Nobody reads further, and other filters narrow these down. */
const mostRanked = 1000
