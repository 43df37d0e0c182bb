import type { Read } from '../db/open'
import type { Bindable } from '../db/prepared'

export type ListQuery = Readonly<Record<string, unknown>>

export type BoundValues = Record<string, Bindable>

export interface QueryPlan {
  readonly query: ListQuery
  readonly viewer: number
  readonly shape: PlanShape
  readonly shapeKey: string
  readonly countedIn: readonly string[] | undefined
  /** Whether the rows are in the order in which a filter's `find` returned them. */
  readonly isRanked: boolean
  /** Bound values as `<filter>.<slot>`, and the caller's id as `viewer`. */
  readonly values: BoundValues
}

/** All that the SQL depends on. It holds no text of the client, so that SQL can be cached by it. */
export interface PlanShape {
  readonly filters: readonly string[]
  readonly unionParts: number
  /** The id comes last (D14). */
  readonly sorts: readonly [PlannedSort, ...PlannedSort[]]
  readonly isCounted: boolean
  /** Whether an index in the order of the sort is walked, and each row looked up in the ids of the filters. */
  readonly isWalked: boolean
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

/** A page of all ids, in their order. */
export const pageOf = (ids: readonly number[], { offset, limit }: PageRange): FoundPage => ({
  ids: ids.slice(offset, offset + limit),
  total: ids.length,
})

export interface PageFinder {
  find(plan: QueryPlan, page: PageRange, read: Read): Promise<FoundPage>
}

/** Undefined for none and for several. */
export const onlyFilter = (filters: readonly string[]): string | undefined =>
  filters.length === 1 ? filters[0] : undefined
