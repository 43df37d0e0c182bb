import type { ListDeclaration } from '../api/list-declaration'
import type { ShownTable } from '../api/resource'
import type { Read } from '../db/open'
import { blockSize } from '../db/row-counts'
import type { PageQueries } from './page-query'
import { onlyFilter, type PageFinder, type PageRange, type PlanShape, type QueryPlan } from './query-plan'
import { placeById, placeByKey, type RowPlace } from './ranks'
import { type RangeRead, readInTurn } from './read-in-turn'

/** Finds in `row_counts` the block of ids where a page begins, and reads on from there; `fallback` does the rest. */
export const countedBlocks = <T extends ShownTable>(
  list: ListDeclaration<T>,
  queries: PageQueries,
  fallback: PageFinder,
): PageFinder => ({
  find: async (plan, page, read) => {
    const counted = await countedRows(list, queries, plan, page, read)
    const reads = counted && (await readsFrom(plan, counted, page, read))
    if (reads === undefined) return await fallback.find(plan, page, read)
    const ids = await readInTurn(queries, plan, reads, page.limit, read)
    return { ids, total: await queries.count(plan, read) }
  },
})

interface CountedRows {
  readonly lists: readonly string[]
  readonly key: number
  /** Whether a filter selects the rows. */
  readonly filtered: boolean
}

/** Up to this offset, walking a filter's index is as fast as a lookup. */
const maxWalkedRows = 1024

async function countedRows<T extends ShownTable>(
  list: ListDeclaration<T>,
  queries: PageQueries,
  plan: QueryPlan,
  { offset }: PageRange,
  read: Read,
): Promise<CountedRows | undefined> {
  const { countedIn: lists, shape } = plan
  if (lists !== undefined) return offset < blockSize ? undefined : { lists, key: 0, filtered: false }
  const by = list.filters[onlyFilter(shape.filters) ?? '']?.countedBy
  if (by === undefined || (offset < maxWalkedRows && shape.sorts[0].column === 'id')) return undefined
  const key = await queries.key(plan, read)
  return key === null ? undefined : { lists: [by.list], key, filtered: true }
}

async function readsFrom(
  { shape }: QueryPlan,
  { lists, key, filtered }: CountedRows,
  { offset }: PageRange,
  read: Read,
): Promise<readonly RangeRead[] | undefined> {
  const { column, direction } = shape.sorts[0]
  if (column !== 'id') {
    const sorted = lists.map((list) => `${list}${filtered ? ` ${key}` : ''} by ${column}`)
    const place = await placeByKey(read, JSON.stringify(sorted), direction, offset)
    return typeof place === 'object' ? readsByKey(shape, place, filtered) : nothingAt(place)
  }
  const place = await placeById(read, { lists: JSON.stringify(lists), key }, direction, offset)
  if (typeof place !== 'object') return nothingAt(place)
  return [{ ...place, range: direction === 'asc' ? 'up' : 'down', offset: place.skip }]
}

const nothingAt = (place: 'uncounted' | undefined) => (place === 'uncounted' ? undefined : [])

/** Reads the key that the page begins with, then the keys after it; a filter's least key separately. */
function readsByKey({ sorts: [sort] }: PlanShape, place: RowPlace, filtered: boolean): RangeRead[] {
  const [ofKey, after] = filtered
    ? (['filtered key', 'filtered keys after'] as const)
    : (['key', 'keys after'] as const)
  const least = filtered ? sort.least : undefined
  const first = { ...place, offset: place.skip }
  const next: RangeRead = { ...place, range: after, offset: 0 }
  if (place.key === least) {
    const ofLeast: RangeRead = { ...first, range: 'least key' }
    return sort.direction === 'desc' ? [ofLeast] : [ofLeast, next]
  }
  const reads: RangeRead[] = [{ ...first, range: ofKey }, next]
  if (least === undefined || sort.direction === 'asc') return reads
  return [...reads, { range: 'least key', key: least, from: 0, before: 0, offset: 0 }]
}
