import type { Bindable } from '../db/prepared'
import type { Call } from './endpoint'
import type { PageRow, pageQueries } from './page-query'
import { blockSize, type Direction, type Place, placeById, placeByKey } from './ranks'
import { type AnyList, aloneIn, isCounted, type Shape } from './shape'

/** A page's rows and the total of all pages. */
export interface Found {
  readonly rows: readonly PageRow[]
  readonly total: number
}

export type PageValues = Record<string, Bindable> & {
  readonly viewer: number
  readonly limit: number
  readonly offset: number
}
export type Queries = ReturnType<typeof pageQueries>

/** A page to find. */
export interface Sought {
  readonly list: AnyList
  readonly queries: Queries
  readonly shape: Shape
  readonly values: PageValues
  readonly call: Call
}

/**
 * Finds a page in one query; in two where it has no rows. A page far into a list whose rows are counted by `row_counts`, under
 * the names of `lists`, is not walked to: its place is looked up first.
 */
export async function findRows(plain: Sought, lists: readonly string[] | undefined): Promise<Found> {
  const { offset } = plain.values
  // Rows that a filter leaves are often sorted by hand: as ids, not as whole rows.
  const far = offset > 0 || (plain.shape.filters.length > 0 && plain.shape.sorts.length > 0)
  const shape = { ...plain.shape, ranked: lists !== undefined, far }
  const values = lists === undefined ? plain.values : { ...plain.values, lists: JSON.stringify(lists) }
  const sought = { ...plain, shape, values }
  const query = plain.queries(shape)
  const { read } = plain.call.deps
  const rows =
    (await placedRows(sought, lists)) ?? (await lastRows(sought)) ?? (await query.find(read, values))
  if (rows[0] !== undefined) return { rows, total: rows[0].total }
  const [counted] = offset === 0 ? [] : await query.count(read, values)
  return { rows, total: counted?.total ?? 0 }
}

/** The rows of a page whose place is looked up, not walked to; undefined where walking is as cheap, or the only way. */
async function placedRows(
  sought: Sought,
  lists: readonly string[] | undefined,
): Promise<readonly PageRow[] | undefined> {
  const { list, shape, values } = sought
  if (lists !== undefined) {
    return values.offset < blockSize ? undefined : rowsAt(sought, lists, (column) => `by ${column}`, 0)
  }
  const ranked = list.filters[aloneIn(list, shape.filters) ?? '']?.ranked
  const sorted = keyOf(sought).column !== undefined
  if (ranked === undefined || list.rows.where || (values.offset < walked && !sorted)) return undefined
  const [{ key } = { key: null }] = await sought.queries(shape).key(sought.call.deps.read, values)
  if (key === null) return undefined
  const split = { ...sought, shape: { ...shape, split: true } }
  return rowsAt(split, [ranked.list], (column) => `${key} by ${column}`, key)
}

/** How many rows are walked sooner than a place is looked up. */
const walked = 1024

async function rowsAt(
  sought: Sought,
  lists: readonly string[],
  keyed: (column: string) => string,
  key: number,
): Promise<readonly PageRow[] | undefined> {
  const { values, call } = sought
  const { column, direction } = keyOf(sought)
  if (column !== undefined)
    return rowsByKey(sought, JSON.stringify(lists.map((of) => `${of} ${keyed(column)}`)))
  const counted = { lists: JSON.stringify(lists), key }
  const place = await placeById(call.deps.read, counted, direction, values.offset)
  if (place === 'uncounted') return undefined
  return place === undefined ? [] : run(sought, direction === 'asc' ? 'up' : 'down', place, values.limit)
}

/** The rows of a page nearer the last row than the first, walked to from there; undefined where how far is not known. */
async function lastRows({
  list,
  queries,
  shape,
  values,
  call,
}: Sought): Promise<readonly PageRow[] | undefined> {
  if (values.offset < walked || shape.ranked || !isCounted(list, shape)) return undefined
  const [{ total } = { total: 0 }] = await queries(shape).count(call.deps.read, values)
  const after = total - values.offset - values.limit
  if (after >= values.offset) return undefined
  const limit = values.limit + Math.min(0, after)
  if (limit <= 0) return []
  const backwards = queries({ ...shape, backwards: true })
  return backwards.find(call.deps.read, { ...values, limit, offset: Math.max(0, after) })
}

/** What a list is sorted by before the id: nothing, where it is the id itself. */
function keyOf({ list, shape }: Pick<Sought, 'list' | 'shape'>) {
  const [name = '', way = 'asc'] = shape.sorts[0] ?? []
  const { column, least } = list.sorts[name] ?? {}
  const direction: Direction = way === 'desc' ? 'desc' : 'asc'
  return { column: column === 'id' ? undefined : column, direction, least }
}

/** Rows of the key that the page begins with, then those of the keys after it, the least key by itself where it is split. */
async function rowsByKey(sought: Sought, lists: string): Promise<readonly PageRow[] | undefined> {
  const { shape, values, call } = sought
  const { direction, least } = keyOf(sought)
  const place = await placeByKey(call.deps.read, lists, direction, values.offset)
  if (place === 'uncounted') return undefined
  if (place === undefined) return []
  const apart = shape.split ? least : undefined
  const rows = [...(await run(sought, place.key === apart ? 'least key' : 'key', place, values.limit))]
  const missing = () => values.limit - rows.length
  const after = { ...place, skip: 0 }
  const last = place.key === apart && direction === 'desc'
  if (missing() > 0 && !last) rows.push(...(await run(sought, 'keys after', after, missing())))
  if (missing() === 0 || apart === undefined || place.key === apart || direction === 'asc') return rows
  return [...rows, ...(await run(sought, 'least key', { ...after, key: apart, from: 0 }, missing()))]
}

const run = (
  { queries, shape, values, call }: Sought,
  from: NonNullable<Shape['from']>,
  { key, from: first, before, skip }: Place,
  limit: number,
) =>
  queries({ ...shape, from }).find(call.deps.read, {
    ...values,
    key,
    from: first,
    before,
    limit,
    offset: skip,
  })
