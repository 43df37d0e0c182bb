import type { ListDeclaration } from '../api/list-declaration'
import type { ShownTable } from '../api/resource'
import { type PageFinder, pageOf } from './query-plan'

/** Looks up ids by a filter's `find`: pages them in that order, or has the next finder sort or narrow them. */
export const foundRows = <T extends ShownTable>(
  { filters }: ListDeclaration<T>,
  next: PageFinder,
): PageFinder => ({
  find: async (plan, page, read) => {
    const asked = plan.shape.filters
    const name = asked.find((filter) => filters[filter]?.find)
    if (name === undefined) return await next.find(plan, page, read)
    const ids = (await filters[name]?.find?.(plan.query[name], read, plan.isRanked)) ?? []
    if (asked.length === 1 && plan.isRanked) return pageOf(ids, page)
    const bound = { ...plan, values: { ...plan.values, [`${name}.ids`]: JSON.stringify(ids) } }
    if (!plan.isRanked) return await next.find(bound, page, read)
    const left = new Set((await next.find(bound, { offset: 0, limit: ids.length }, read)).ids)
    return pageOf(
      ids.filter((id) => left.has(id)),
      page,
    )
  },
})
