import type { ListDeclaration } from '../api/list-declaration'
import type { ShownTable } from '../api/resource'
import type { PageQueries } from './page-query'
import { type FoundPage, type PageFinder, type PageRange, relevance } from './query-plan'

/** Looks up the ids of a filter with `find`: a page of them as they are, or sorted and filtered by the next queries. */
export const foundRows = <T extends ShownTable>(
  { filters }: ListDeclaration<T>,
  queries: PageQueries,
  next: PageFinder,
): PageFinder => ({
  find: async (plan, page, read) => {
    const { filters: asked, sorts } = plan.shape
    const name = asked.find((filter) => filters[filter]?.find)
    if (name === undefined) return await next.find(plan, page, read)
    const ids = (await filters[name]?.find?.(plan.query[name], read)) ?? []
    if (asked.length === 1 && sorts[0].column === relevance) return pageOf(ids, page)
    const bound = { ...plan, values: { ...plan.values, [`${name}.ids`]: JSON.stringify(ids) } }
    if (asked.length === 1) return await next.find(bound, page, read)
    // Once for the total and the page: other filters may take longer than the ids that are left.
    return pageOf(await queries.ids(bound, 'all', { offset: 0, limit: ids.length }, read), page)
  },
})

const pageOf = (ids: readonly number[], { offset, limit }: PageRange): FoundPage => ({
  ids: ids.slice(offset, offset + limit),
  total: ids.length,
})
