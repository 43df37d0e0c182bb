import { type RawBuilder, sql } from 'kysely'
import type { Read } from '../../db/open'
import { perKind } from './per-kind'
import type { SearchKind } from './texts'
import type { Hits } from './ways/scores'

/**
 * Visible rows by score, popularity here, popularity elsewhere, television first, earlier season, shorter
 * title; unordered unless `isRanked`, since ranking takes longer than the look-up.
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
  works: sql`watchers_count desc, popularity desc, media <> 'tv', season_rank nulls last, length(title)`,
  characters: sql`favorite_characters_count desc, length(name)`,
  people: sql`favorite_people_count desc, casts_count + staffs_count desc, length(name)`,
  organizations: sql`favorite_organizations_count desc, staffs_count desc, length(name)`,
  series: sql`length(name)`,
} as const

const rowsIn = (order: (kind: SearchKind) => RawBuilder<unknown>) =>
  perKind<{ id: number }, { hits: string; limit: number }>(
    (kind, slot) => sql`
      select row.id from json_each(${slot('hits')}) as hit
      cross join ${sql.table(kind)} as row on row.id = cast(hit.key as integer)
      where row.hidden = 0 ${order(kind)} limit ${slot('limit')}`,
  )

const rankedRows = rowsIn((kind) => sql`order by hit.value desc, ${orders[kind]}, row.id`)
const shownRows = rowsIn(() => sql``)

/** Nobody reads further, and other filters narrow these down. */
const mostRanked = 1000
