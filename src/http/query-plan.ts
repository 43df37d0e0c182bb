import type { Read } from '../db/open'
import type { ListDeclaration, Values } from './list-declaration'
import type { ShownTable } from './resource'

/** The values of a list's own parameters, by name. */
export type ListQuery = Readonly<Record<string, unknown>>

/** What a list is asked. */
export interface QueryPlan {
  readonly query: ListQuery
  readonly viewer: number
  readonly shape: PlanShape
  /** Which lists of `row_counts` count the rows, where any do. */
  readonly countedIn: readonly string[] | undefined
  /** What the filters bind, each under its own name, and the caller's id as `viewer`. */
  readonly values: Values
}

/** All that SQL depends on. Nothing of the client's own text is in it, so that SQL may be kept by it. */
export interface PlanShape {
  readonly filters: readonly string[]
  /** In how many parts the rows are found. */
  readonly unionParts: number
  /** What the rows are sorted by: the id comes last (D14). */
  readonly sorts: readonly [PlannedSort, ...PlannedSort[]]
  /** Whether lists of `row_counts` count the rows. */
  readonly isCounted: boolean
}

export type Direction = 'asc' | 'desc'

export interface PlannedSort {
  readonly column: string
  readonly direction: Direction
  readonly nullsLast?: true
  readonly least?: number
}

/** Which rows are asked of all that a plan leaves. */
export interface PageRange {
  readonly offset: number
  readonly limit: number
}

/** The ids of a page's rows in their order, and how many rows there are on all pages. */
export interface FoundPage {
  readonly ids: readonly number[]
  readonly total: number
}

/** A way to find the rows of a page. */
export interface PageFinder {
  find(plan: QueryPlan, page: PageRange, read: Read): Promise<FoundPage>
}

export function planOf<T extends ShownTable>(
  list: ListDeclaration<T>,
  query: ListQuery,
  viewer: number,
): QueryPlan {
  const filters = Object.keys(list.filters).filter((name) => query[name] !== undefined)
  const only = onlyFilter(filters)
  const unionParts = (only !== undefined && list.filters[only]?.unionParts?.(query[only])) || 1
  const countedIn = list.rows.countedIn?.(query, filters)
  const shape = { filters, unionParts, sorts: sortsOf(list, query), isCounted: countedIn !== undefined }
  const values = { ...boundBy(list, filters, query), viewer, lists: JSON.stringify(countedIn ?? []) }
  return { query, viewer, shape, countedIn, values }
}

/** The filter that alone narrows a list; undefined where none does, or several do. */
export const onlyFilter = (filters: readonly string[]): string | undefined =>
  filters.length === 1 ? filters[0] : undefined

/** What is asked, up to the id; where nothing is, what the list is sorted by. */
function sortsOf<T extends ShownTable>(
  { sorts, sortedBy }: ListDeclaration<T>,
  query: ListQuery,
): PlanShape['sorts'] {
  const planned: PlannedSort[] = []
  for (const [name, { what, ...sort }] of Object.entries(sorts)) {
    const direction = query[name]
    if (direction === 'asc' || direction === 'desc') planned.push({ ...sort, direction })
  }
  if (planned.length === 0 && sortedBy !== undefined) planned.push({ column: sortedBy, direction: 'asc' })
  const byId = planned.findIndex(({ column }) => column === 'id')
  const [first = ascending, ...rest] = byId < 0 ? [...planned, ascending] : planned.slice(0, byId + 1)
  return [first, ...rest]
}

const ascending: PlannedSort = { column: 'id', direction: 'asc' }

function boundBy<T extends ShownTable>(
  list: ListDeclaration<T>,
  filters: readonly string[],
  query: ListQuery,
): Values {
  const values: Values = {}
  for (const name of filters) {
    const bound = list.filters[name]?.bind(query[name]) ?? {}
    for (const part of Object.keys(bound)) values[`${name}.${part}`] = bound[part] ?? null
  }
  return values
}
