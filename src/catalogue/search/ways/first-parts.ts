import { sql } from 'kysely'
import type { Read } from '../../../db/open'
import { preparedSql } from '../../../db/prepared'
import { type Hits, scores } from './scores'

/**
 * A name that several parts of a series share means the series: the part that began it counts as well as the best of
 * them. Not if the text is exactly what another part is called.
 */
export async function raiseFirstParts(read: Read, hits: Hits): Promise<void> {
  if (hits.best > scores.beginning) return
  const best = hits.best - scores.name - scores.sound
  const found = hits.from(Math.min(best, scores.insideWord - scores.name - scores.sound)).slice(0, mostHits)
  if (found.length < 2) return
  const known = new Map(found)
  for (const { first, rows } of await firstParts(read, { ids: JSON.stringify([...known.keys()]) })) {
    const members: readonly number[] = JSON.parse(rows)
    const highest = Math.max(...members.map((row) => known.get(row) ?? 0))
    if (highest >= best) hits.add(first, highest)
  }
}

interface OneSeries {
  readonly first: number
  /** JSON. */
  readonly rows: string
}

/** Of those that are about as well known as the best known. Uses series_works_work. */
const firstParts = preparedSql<OneSeries, { ids: string }>(
  (slot) => sql`
    with found as (
      select works.id, series_id, media, season_rank, popularity, max(popularity) over (partition by series_id) as most
      from json_each(${slot('ids')}) as hit
      cross join series_works on series_works.work_id = hit.value
      cross join works on works.id = hit.value),
    ordered as (
      select id, series_id, row_number() over (
        partition by series_id order by popularity < 0.7 * most, season_rank nulls last, media <> 'tv', id) as part
      from found)
    select max(id) filter (where part = 1) as first, json_group_array(id) as rows
    from ordered group by series_id having count(*) > 1`,
)

const mostHits = 60
