import type { Read } from '../db/open'
import type { Bounds, PageQueries } from './page-query'
import type { QueryPlan } from './query-plan'
import type { RowRange } from './row-range'

export type RangeRead = Partial<Bounds> & { readonly range: RowRange; readonly offset: number }

/** Reads the ids of one range after another, up to `limit`. */
export async function readInTurn(
  queries: PageQueries,
  plan: QueryPlan,
  reads: readonly RangeRead[],
  limit: number,
  read: Read,
): Promise<readonly number[]> {
  const ids: number[] = []
  for (const { range, ...bounds } of reads) {
    const left = limit - ids.length
    if (left > 0) ids.push(...(await queries.ids(plan, range, { ...bounds, limit: left }, read)))
  }
  return ids
}
