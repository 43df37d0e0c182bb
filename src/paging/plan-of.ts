import { audienceOf } from '../../db/facts/withheld'
import type { PagedList, ShownTable } from './paged-list'
import {
  type BoundValues,
  type ListQuery,
  onlyFilter,
  type PlannedSort,
  type PlanShape,
  type QueryPlan,
} from './query-plan'

export function planOf<T extends ShownTable>(
  list: PagedList<T>,
  query: ListQuery,
  viewer: number,
): QueryPlan {
  const filters = Object.keys(list.filters).filter((name) => query[name] !== undefined)
  const only = onlyFilter(filters)
  const parts = (only === undefined ? undefined : list.filters[only]?.parts?.(query[only])) ?? []
  const shape = {
    filters,
    parts,
    sorts: sortsOf(list, query),
    isWalked: false,
    isShared: isShared(list, query),
  }
  const values = { ...boundBy(list, filters, query), viewer }
  const isRanked =
    filters.some((name) => list.filters[name]?.find) &&
    Object.keys(list.sorts).every((name) => query[name] === undefined)
  return { query, viewer, shape, shapeKey: JSON.stringify(shape), isRanked, values }
}

/** Whether a list of what people wrote holds shared rows only: it is of several people's, and names nobody (D73). */
export const isShared = <T extends ShownTable>(
  { table, rows, filters, isOwn }: PagedList<T>,
  query: ListQuery,
) =>
  isOwn !== true &&
  (audienceOf(table) ?? rows.shared) !== undefined &&
  !Object.keys(filters).some((name) => filters[name]?.isNaming === true && query[name] !== undefined)

/** The requested sorts as far as the id, or the list's own. */
function sortsOf<T extends ShownTable>(
  { sorts, sortedBy }: PagedList<T>,
  query: ListQuery,
): PlanShape['sorts'] {
  const planned: PlannedSort[] = []
  for (const [name, { column, nullsLast, least }] of Object.entries(sorts)) {
    const direction = query[name]
    if (direction !== 'asc' && direction !== 'desc') continue
    planned.push({
      column,
      direction,
      ...(nullsLast && { nullsLast }),
      ...(least !== undefined && { least }),
    })
  }
  if (planned.length === 0 && sortedBy !== undefined) planned.push({ column: sortedBy, direction: 'asc' })
  const byId = planned.findIndex(({ column }) => column === 'id')
  const [first = ascending, ...rest] = byId < 0 ? [...planned, ascending] : planned.slice(0, byId + 1)
  return [first, ...rest]
}

const ascending: PlannedSort = { column: 'id', direction: 'asc' }

function boundBy<T extends ShownTable>(
  list: PagedList<T>,
  filters: readonly string[],
  query: ListQuery,
): BoundValues {
  const values: BoundValues = {}
  for (const name of filters) {
    const bound = list.filters[name]?.bind(query[name]) ?? {}
    for (const part of Object.keys(bound)) values[`${name}.${part}`] = bound[part] ?? null
  }
  return values
}
