import { type RawBuilder, sql } from 'kysely'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import type { SearchKind } from './texts'
import type { Hits } from './ways/scores'

/** Visible rows by score, popularity here, popularity elsewhere, television first, earlier season, shorter title. */
export async function ranked(read: Read, kind: SearchKind, hits: Hits): Promise<readonly number[]> {
  if (hits.best === 0) return []
  const rows = await queries[kind](read, { hits: hits.toJson(), limit: mostRanked })
  return rows.map(({ id }) => id)
}

const queryOf = (kind: SearchKind, order: RawBuilder<unknown>) =>
  preparedSql<{ id: number }, { hits: string; limit: number }>(
    (slot) => sql`
      select row.id from json_each(${slot('hits')}) as hit
      cross join ${sql.table(kind)} as row on row.id = cast(hit.key as integer)
      where row.hidden = 0 order by hit.value desc, ${order}, row.id limit ${slot('limit')}`,
  )

const queries = {
  works: queryOf(
    'works',
    sql`watchers_count desc, popularity desc, media <> 'tv', season_rank nulls last, length(title)`,
  ),
  characters: queryOf('characters', sql`favorite_characters_count desc, length(name)`),
  people: queryOf('people', sql`favorite_people_count desc, casts_count + staffs_count desc, length(name)`),
  organizations: queryOf(
    'organizations',
    sql`favorite_organizations_count desc, staffs_count desc, length(name)`,
  ),
  series: queryOf('series', sql`length(name)`),
} as const

/** Nobody reads further, and other filters narrow these down. */
const mostRanked = 1000
