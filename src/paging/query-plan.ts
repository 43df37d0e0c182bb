import type { Read } from '../db/open'
import type { Bindable } from '../db/prepared'

/** The values of a list's own parameters, by name. */
export type ListQuery = Readonly<Record<string, unknown>>

/** What is bound in a query, by name. */
export type Values = Record<string, Bindable>

/** What a list is asked. */
export interface QueryPlan {
  readonly query: ListQuery
  readonly viewer: number
  readonly shape: PlanShape
  /** The shape as text, for what is kept by it. */
  readonly shapeKey: string
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

/** What rows are sorted by that a filter looked up. */
export const relevance = 'relevance'

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

/** The filter that alone narrows a list; undefined where none does, or several do. */
export const onlyFilter = (filters: readonly string[]): string | undefined =>
  filters.length === 1 ? filters[0] : undefined
