import type { ListDeclaration } from '../api/list-declaration'
import type { ShownTable } from '../api/resource'
import type { PageQueries } from './page-query'
import { type PageFinder, pageOf, type QueryPlan } from './query-plan'
import { rowidsFilterOf } from './row-source'

/**
 * Walks an index to the page from its nearer end (SQL offset). Found rows that filters narrow are read in full instead.
 */
export const walkIndex = <T extends ShownTable>(
  list: ListDeclaration<T>,
  queries: PageQueries,
): PageFinder => ({
  find: async (asked, { offset, limit }, read) => {
    if (isNarrowed(list, asked)) {
      const ids = await queries.ids(asked, 'all', { offset: 0, limit: everything }, read)
      return pageOf(ids, { offset, limit })
    }
    const total = await queries.count(asked, read)
    const plan = total > mostSorted && isSortIndexed(list, asked) ? walked(asked) : asked
    const n = Math.min(limit, total - offset)
    if (n <= 0) return { ids: [], total }
    const after = total - offset - n
    if (offset <= after) return { ids: await queries.ids(plan, 'all', { offset, limit }, read), total }
    const backwards = await queries.ids(plan, 'backwards', { offset: after, limit: n }, read)
    return { ids: backwards.toReversed(), total }
  },
})

/** Whether filters narrow rows found by id: finding them then takes longer than returning all that are left. */
function isNarrowed<T extends ShownTable>(
  list: ListDeclaration<T>,
  { shape: { filters } }: QueryPlan,
): boolean {
  const finding = rowidsFilterOf(list, filters)
  if (finding === undefined) return list.rows.rowids !== undefined && filters.length > 0
  return filters.length > 1
}

/** `limit` without a limit in SQLite. */
const everything = -1

/** Up to this many found ids are sorted, at some 0.5 µs each; beyond that, walking an index is as fast. */
const mostSorted = 2000

/** Whether the list has an index in sort order, but a filter would make SQLite sort its ids instead. */
function isSortIndexed<T extends ShownTable>(list: ListDeclaration<T>, { shape }: QueryPlan): boolean {
  if (list.rows.rowids !== undefined || shape.sorts[0].column === 'id') return false
  const name = rowidsFilterOf(list, shape.filters)
  return name !== undefined && list.filters[name]?.find === undefined
}

function walked(plan: QueryPlan): QueryPlan {
  const shape = { ...plan.shape, isWalked: true }
  return { ...plan, shape, shapeKey: JSON.stringify(shape) }
}
