import type { Call } from './endpoint'
import type { Selection } from './fields'
import { setFinder } from './find-in-sets'
import { type Found, findRows, type PageValues, type Queries } from './find-rows'
import type { FoundIds } from './list'
import { pageQueries } from './page-query'
import type { Page } from './paging'
import { type AnyList, type Asked, type Shape, shapeOf, valuesOf } from './shape'

/**
 * Finds the rows of a page and the total of all pages. A list may find the ids of a page itself, or by sets that are
 * kept; else the database does.
 */
export function pageFinder(list: AnyList) {
  const queries = pageQueries(list)
  const findIds = idFinder(list)
  return async (asked: Asked, page: Page, selection: Selection | undefined, call: Call): Promise<Found> => {
    const shape = shapeOf(list, asked, selection)
    const values = {
      ...valuesOf(list, shape, asked),
      viewer: call.viewer.userId,
      limit: page.perPage,
      offset: (page.page - 1) * page.perPage,
    }
    const found = await findIds?.(asked, shape, values, call)
    if (found !== undefined) return rowsOf(found, queries, shape, call)
    return findRows({ list, queries, shape, values, call }, list.rows.ranks?.(asked, shape.filters))
  }
}

type FindIds = (asked: Asked, shape: Shape, values: PageValues, call: Call) => Promise<FoundIds>

function idFinder(list: AnyList): FindIds | undefined {
  const { find, sets } = list.rows
  if (find !== undefined) {
    return (asked, _, { offset, limit }, call) => {
      const direction = asked.sort_id === 'desc' ? 'desc' : 'asc'
      return find(asked, { direction, offset, limit }, call)
    }
  }
  if (sets === undefined) return undefined
  const findInSets = setFinder(list, sets)
  return (asked, shape, values, { deps }) => findInSets(asked, shape, values, deps.read)
}

/** The rows with these ids, in their order. One that is no longer shown is left out. */
async function rowsOf({ ids, total }: FoundIds, queries: Queries, shape: Shape, call: Call): Promise<Found> {
  const these = queries({ ...shape, filters: [], branches: 1, sorts: [], from: 'these' })
  const values = { viewer: call.viewer.userId, ids: JSON.stringify(ids), limit: ids.length, offset: 0 }
  const rows = new Map((await these.find(call.deps.read, values)).map((row) => [row.id, row]))
  return { rows: ids.flatMap((id) => rows.get(id) ?? []), total }
}
