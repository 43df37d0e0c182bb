import type { ListDeclaration } from '../api/list-declaration'
import type { ShownTable } from '../api/resource'
import { type PageFinder, pageOf, relevance } from './query-plan'

/** Looks up the ids of a filter with `find`: a page of them as they are, or sorted and filtered by the next queries. */
export const foundRows = <T extends ShownTable>(
  { filters }: ListDeclaration<T>,
  next: PageFinder,
): PageFinder => ({
  find: async (plan, page, read) => {
    const { filters: asked, sorts } = plan.shape
    const name = asked.find((filter) => filters[filter]?.find)
    if (name === undefined) return await next.find(plan, page, read)
    const ids = (await filters[name]?.find?.(plan.query[name], read)) ?? []
    if (asked.length === 1 && sorts[0].column === relevance) return pageOf(ids, page)
    const bound = { ...plan, values: { ...plan.values, [`${name}.ids`]: JSON.stringify(ids) } }
    return await next.find(bound, page, read)
  },
})
