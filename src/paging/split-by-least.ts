import type { PageQueries } from './page-query'
import type { PageFinder } from './query-plan'
import { type RangeRead, readInTurn } from './read-in-turn'

/**
 * Sorts what two filters leave by a column of which most rows have the least value, as likes: only the others are sorted,
 * and those are read in the order of their ids. `fallback` does the rest.
 */
export const splitByLeast = (queries: PageQueries, fallback: PageFinder): PageFinder => ({
  find: async (plan, page, read) => {
    const { filters, sorts } = plan.shape
    const { least, direction } = sorts[0]
    if (least === undefined || filters.length < 2) return await fallback.find(plan, page, read)
    const { total, above } = await queries.countAbove(plan, read)
    const isDescending = direction === 'desc'
    const first = isDescending ? 'above least' : 'least key'
    const second = isDescending ? 'least key' : 'above least'
    const inFirst = isDescending ? above : total - above
    const bounds = { key: least, from: 0 }
    const { offset } = page
    const reads: RangeRead[] =
      offset < inFirst
        ? [
            { ...bounds, range: first, offset },
            { ...bounds, range: second, offset: 0 },
          ]
        : [{ ...bounds, range: second, offset: offset - inFirst }]
    const wanted = Math.min(page.limit, total - offset)
    return { ids: await readInTurn(queries, plan, reads, wanted, read), total }
  },
})
