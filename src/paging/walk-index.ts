import type { PageQueries } from './page-query'
import type { PageFinder } from './query-plan'

/** Walks an index to the page from the nearer end (SQL offset). */
export const walkIndex = (queries: PageQueries): PageFinder => ({
  find: async (plan, { offset, limit }, read) => {
    const total = await queries.count(plan, read)
    const n = Math.min(limit, total - offset)
    if (n <= 0) return { ids: [], total }
    const after = total - offset - n
    if (offset <= after) return { ids: await queries.ids(plan, 'all', { offset, limit }, read), total }
    const backwards = await queries.ids(plan, 'backwards', { offset: after, limit: n }, read)
    return { ids: backwards.toReversed(), total }
  },
})
