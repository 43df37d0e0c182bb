import type { Expression, ExpressionBuilder, RawBuilder, Selectable, SqlBool } from 'kysely'
import type { Read } from '../db/open'
import type { SlotOf } from '../db/prepared'
import type { DB } from '../db/schema'
import type { BoundValues, PageFinder } from './query-plan'

/** Tables with an id and a version that grows with every change (`versioned` of db/facts/versions.ts). */
export type ShownTable = {
  [T in keyof DB]: Selectable<DB[T]> extends { id: number; version: number } ? T : never
}[keyof DB]

/** What a list says about finding its pages; `src/api/list-declaration.ts` adds what clients see of it. */
export interface PagedList<T extends ShownTable> {
  readonly table: T
  readonly rows: Rows<NoInfer<T>>
  readonly filters: Readonly<Record<string, RowFilter<NoInfer<T>>>>
  /** In order of precedence; ties are sorted by id (D14). */
  readonly sorts: Readonly<Record<string, RowSort<NoInfer<T>>>>
  /** Sort column when no sort is requested; ties are sorted by id. */
  readonly sortedBy?: keyof DB[NoInfer<T>] & string
  /** Of the caller's own rows, or of what they follow. */
  readonly isOwn?: boolean
}

export type ListSlots = SlotOf<BoundValues & { readonly viewer: number }>

export interface Rows<T extends ShownTable> {
  where?(eb: ExpressionBuilder<DB, T>, viewer: RawBuilder<number>): Expression<SqlBool>
  /** Rows that are shared, unless the table says so by its column `withheld` (db/facts/withheld.ts). */
  readonly shared?: RawBuilder<unknown>
  /** SQL for the total; if absent, rows are counted one by one, or by the page if there is no `where` either. */
  counted?(viewer: RawBuilder<number>): RawBuilder<number>
  /** Replaces `where`: a table with a single column `rowid`, read in id order. */
  rowids?(viewer: RawBuilder<number>): RawBuilder<unknown>
  /** An index on the id that also has all sort and filter columns. */
  readonly keys?: string
  /**
   * Indexes, each with the filters that it serves: the first whose filters are all requested is used. SQLite would pick one
   * with all columns, or a narrower one since it thinks no index holds a generated column, and read every row. One without
   * filters serves every other list of shared rows that has no index of its own (`RowFilter.parts`, `RowSort.least`).
   */
  readonly indexes?: Readonly<Record<string, readonly string[]>>
  /** For lists whose order no index provides. */
  readonly finder?: PageFinder
}

export interface RowFilter<T extends ShownTable> {
  /** Names a person or rows: then whatever the caller may see of them is listed, otherwise shared rows only (D73). */
  readonly isNaming?: true
  bind(value: unknown): Readonly<BoundValues>
  /** The caller's id is in the slot `viewer`. May depend on the form but not on the value, so that it compiles once. */
  where(eb: ExpressionBuilder<DB, T>, slot: ListSlots, form: FilterForm): Expression<SqlBool>
  /** SQL for the total if this is the only filter; if absent, rows are counted one by one. */
  counted?(slot: ListSlots): RawBuilder<number>
  /** The visible rows that match, in the form of `Rows.rowids`. */
  rowids?(slot: ListSlots): RawBuilder<unknown>
  /** The matching rows, bound as `ids`; best first if listed in that order, as without a requested sort (`isRanked`). */
  find?(value: unknown, read: Read, isRanked: boolean): Promise<readonly number[]>
  /**
   * If this is the only filter: one or more names for conditions that each have an index with their rows in order. Rows of
   * several are merged by `union all`. Far into many rows, all rows are tested instead: their names come as one, joined by
   * commas. These are few and fixed, since each compiles a query.
   */
  parts?(value: unknown): readonly string[] | undefined
}

export interface FilterForm {
  /** One of the filter's `parts`, or several; undefined if the index of another filter or of a sort is used. */
  readonly part: string | undefined
  /** The row's id if `rowids` finds the rows; a condition on this alone avoids reading them. */
  readonly foundId: RawBuilder<number> | undefined
}

export interface RowSort<T extends ShownTable> {
  readonly column: keyof DB[T] & string
  readonly nullsLast?: true
  /** The minimum, which most rows have: the others are read from an index that leaves these out. */
  readonly least?: number
}
