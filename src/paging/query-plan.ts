import type { Read } from '../db/open'
import type { Bindable } from '../db/prepared'

export type ListQuery = Readonly<Record<string, unknown>>

export type BoundValues = Record<string, Bindable>

export interface QueryPlan {
  readonly query: ListQuery
  readonly viewer: number
  readonly shape: PlanShape
  readonly shapeKey: string
  /** Whether rows keep the order in which a filter's `find` returned them. */
  readonly isRanked: boolean
  /** Bound values as `<filter>.<slot>`, and the caller's id as `viewer`. */
  readonly values: BoundValues
}

/** Everything the SQL depends on. Contains no text from the client, so it can serve as a cache key for the SQL. */
export interface PlanShape {
  readonly filters: readonly string[]
  /** Of the only filter; empty if it has none. */
  readonly parts: readonly string[]
  /** The id comes last (D14). */
  readonly sorts: readonly [PlannedSort, ...PlannedSort[]]
  /** Whether to walk an index in sort order and look up each row in the filters' ids. */
  readonly isWalked: boolean
  /** Whether only rows that are shared are listed, the same for everybody (D73). */
  readonly isShared: boolean
}

export type Direction = 'asc' | 'desc'

export interface PlannedSort {
  readonly column: string
  readonly direction: Direction
  readonly nullsLast?: true
  readonly least?: number
}

export interface PageRange {
  readonly offset: number
  readonly limit: number
}

export interface FoundPage {
  readonly ids: readonly number[]
  readonly total: number
}

/** A page of a list of all ids, in its order. */
export const pageOf = (ids: readonly number[], { offset, limit }: PageRange): FoundPage => ({
  ids: ids.slice(offset, offset + limit),
  total: ids.length,
})

export interface PageFinder {
  find(plan: QueryPlan, page: PageRange, read: Read): Promise<FoundPage>
}

/** Undefined if there is none or more than one. */
export const onlyFilter = (filters: readonly string[]): string | undefined =>
  filters.length === 1 ? filters[0] : undefined

/** The same rows in the same order, found in another way. */
export function changed(
  plan: QueryPlan,
  how: Pick<PlanShape, 'parts'> | Pick<PlanShape, 'isWalked'>,
): QueryPlan {
  const shape = { ...plan.shape, ...how }
  return { ...plan, shape, shapeKey: JSON.stringify(shape) }
}
