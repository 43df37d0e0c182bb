import type { PageQueries } from './page-query'
import type { PageFinder } from './query-plan'
import { type RangeRead, readInTurn } from './read-in-turn'

/**
 * Sorts the rows that two filters leave by a column in which most rows have the least value, such as likes: only the
 * others are sorted, those are read in id order. `fallback` handles other plans.
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
