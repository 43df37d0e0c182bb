import type { ListDeclaration } from '../api/list-declaration'
import type { ShownTable } from '../api/resource'
import type { PageFinder } from './query-plan'

/** Finds rows by a filter that looks them up itself, the best first, and leaves the rest to another finder. */
export const foundRows = <T extends ShownTable>(
  { filters }: ListDeclaration<T>,
  otherwise: PageFinder,
): PageFinder => ({
  find: async (plan, page, read) => {
    const name = plan.shape.filters.find((filter) => filters[filter]?.find)
    if (name === undefined) return await otherwise.find(plan, page, read)
    const ids = await filters[name]?.find?.(plan.query[name], read)
    const values = { ...plan.values, [`${name}.ids`]: JSON.stringify(ids) }
    return await otherwise.find({ ...plan, values }, page, read)
  },
})
