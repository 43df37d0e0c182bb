import type { PageQueries } from './page-query'
import type { PageFinder, PageRange } from './query-plan'
import type { RowRange } from './row-range'

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
    const ids: number[] = []
    for (const part of partsOf(total, above, direction === 'desc', page)) {
      const bounds = { ...part, key: least, from: 0 }
      ids.push(...(await queries.ids(plan, part.range, bounds, read)))
    }
    return { ids, total }
  },
})

function partsOf(total: number, above: number, isDescending: boolean, { offset, limit }: PageRange) {
  const rows = [
    { range: 'above least', n: above },
    { range: 'least key', n: total - above },
  ] satisfies { range: RowRange; n: number }[]
  const parts: (PageRange & { range: RowRange })[] = []
  let [skip, left] = [offset, limit]
  for (const { range, n } of isDescending ? rows : rows.toReversed()) {
    const taken = Math.max(0, Math.min(left, n - skip))
    if (taken > 0) parts.push({ range, offset: skip, limit: taken })
    skip = Math.max(0, skip - n)
    left -= taken
  }
  return parts
}
