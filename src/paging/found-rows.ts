import type { ListDeclaration } from '../api/list-declaration'
import type { ShownTable } from '../api/resource'
import type { PageFinder } from './query-plan'

/** Looks up the ids of a filter with `find` and binds them for the next finder. */
export const foundRows = <T extends ShownTable>(
  { filters }: ListDeclaration<T>,
  next: PageFinder,
): PageFinder => ({
  find: async (plan, page, read) => {
    const name = plan.shape.filters.find((filter) => filters[filter]?.find)
    if (name === undefined) return await next.find(plan, page, read)
    const ids = await filters[name]?.find?.(plan.query[name], read)
    const values = { ...plan.values, [`${name}.ids`]: JSON.stringify(ids) }
    return await next.find({ ...plan, values }, page, read)
  },
})
