import { sql } from 'kysely'
import type { Read } from '../../../db/open'
import { preparedSql } from '../../../db/prepared'
import { type Hits, scores } from './scores'

export async function siblingsOf(read: Read, hits: Hits): Promise<readonly (readonly [number, number])[]> {
  const best = hits.best
  const [...found] = hits.from(best)
  if (found.length > mostHits || found.length === 0) return []
  const rows = await siblings(read, { ids: JSON.stringify(found.map(([row]) => row)) })
  return rows.map(({ id }) => [id, best - scores.sibling])
}

// uses series_works_work
const siblings = preparedSql<{ id: number }, { ids: string }>(
  (slot) => sql`
    select distinct other.work_id as id from json_each(${slot('ids')}) as found
    cross join series_works as own on own.work_id = found.value
    cross join series_works as other on other.series_id = own.series_id`,
)

const mostHits = 20
