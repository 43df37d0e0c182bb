import type { Bindable } from '../db/prepared'
import type { Call } from './endpoint'
import type { Selection } from './fields'
import {
  type AnyList,
  type Asked,
  type PageRow,
  pageQueries,
  type Shape,
  shapeOf,
  valuesOf,
} from './page-query'
import type { Page } from './paging'
import { blockSize, type Direction, type Place, placeById, placeByKey } from './ranks'

/** A page's rows and the total of all pages. */
export interface Found {
  readonly rows: readonly PageRow[]
  readonly total: number
}

/**
 * Finds the rows of a page and the total of all pages, in one query; in two where the page has no rows. A page far into
 * a list whose rows are counted by `ranks` is not walked to: its place is looked up first.
 */
export function pageFinder(list: AnyList) {
  const queries = pageQueries(list)
  return async (asked: Asked, page: Page, selection: Selection | undefined, call: Call): Promise<Found> => {
    const plain = shapeOf(list, asked, selection)
    if (list.rows.find) return ownPage(list, queries, asked, plain, page, call)
    const lists = list.rows.ranks?.(asked, plain.filters)
    const offset = (page.page - 1) * page.perPage
    // Rows that a filter leaves are often sorted by hand: as ids, not as whole rows.
    const far = offset > 0 || (plain.filters.length > 0 && plain.sorts.length > 0)
    const shape = { ...plain, ranked: lists !== undefined, far }
    const values = {
      ...valuesOf(list, shape, asked),
      viewer: call.viewer.userId,
      limit: page.perPage,
      offset,
    }
    if (lists !== undefined) Object.assign(values, { lists: JSON.stringify(lists) })
    const rows =
      lists !== undefined && offset >= blockSize
        ? await farRows(list, queries, shape, values, lists, call)
        : await queries(shape).find(call.deps.read, values)
    if (rows[0] !== undefined) return { rows, total: rows[0].total }
    const [counted] = offset === 0 ? [] : await queries(shape).count(call.deps.read, values)
    return { rows, total: counted?.total ?? 0 }
  }
}

type Values = Record<string, Bindable> & { limit: number; offset: number }
type Queries = ReturnType<typeof pageQueries>

/** The page of a list that finds its ids itself. */
async function ownPage(
  list: AnyList,
  queries: Queries,
  asked: Asked,
  shape: Shape,
  { page, perPage }: Page,
  call: Call,
): Promise<Found> {
  const direction = asked.sort_id === 'desc' ? 'desc' : 'asc'
  const stretch = { direction, offset: (page - 1) * perPage, limit: perPage } as const
  const { ids = [], total = 0 } = (await list.rows.find?.(asked, stretch, call)) ?? {}
  const these = queries({ ...shape, filters: [], sorts: [], from: 'these' })
  const values = { viewer: call.viewer.userId, ids: JSON.stringify(ids), limit: perPage, offset: 0 }
  const rows = new Map((await these.find(call.deps.read, values)).map((row) => [row.id, row]))
  return { rows: ids.flatMap((id) => rows.get(id) ?? []), total }
}

async function farRows(
  list: AnyList,
  queries: Queries,
  shape: Shape,
  values: Values,
  lists: readonly string[],
  { deps }: Call,
): Promise<readonly PageRow[]> {
  const [name = '', way = 'asc'] = shape.sorts[0] ?? []
  const direction: Direction = way === 'desc' ? 'desc' : 'asc'
  const column = list.sorts[name]?.column
  const run = (from: Shape['from'] & string, place: Place, limit: number, offset: number) =>
    queries({ ...shape, from }).find(deps.read, { ...values, ...bindable(place), limit, offset })
  if (column === undefined || column === 'id') {
    const place = await placeById(deps.read, JSON.stringify(lists), direction, values.offset)
    return place ? run(direction === 'asc' ? 'up' : 'down', place, values.limit, place.skip) : []
  }
  const keyed = JSON.stringify(lists.map((counted) => `${counted} by ${column}`))
  const place = await placeByKey(deps.read, keyed, direction, values.offset)
  if (place === undefined) return []
  const rows = await run('key', place, values.limit, place.skip)
  const missing = values.limit - rows.length
  return missing === 0 ? rows : [...rows, ...(await run('keys after', place, missing, 0))]
}

const bindable = ({ key, from, before }: Place) => ({ key, from, before })
