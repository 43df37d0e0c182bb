import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Read } from '../db/open'
import type { SlotOf } from '../db/prepared'
import type { DB } from '../db/schema'
import type { BoundValues, ListQuery, PageFinder } from '../paging/query-plan'
import { prose } from '../values/text'
import type { Item } from './item'
import { type Param, param } from './params'
import type { ShownTable } from './resource'

export interface ListDeclaration<T extends ShownTable> {
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly key: string
  readonly item: Item<T>
  readonly rows: Rows<NoInfer<T>>
  readonly filters: Readonly<Record<string, Filter<NoInfer<T>>>>
  /** In order of precedence; ties are sorted by id (D14). */
  readonly sorts: Readonly<Record<string, Sort<NoInfer<T>>>>
  /** Sort column when no sort is requested; ties are sorted by id. */
  readonly sortedBy?: keyof DB[NoInfer<T>] & string
}

export type Slots = SlotOf<BoundValues & { readonly viewer: number }>

export interface Rows<T extends ShownTable> {
  where?(eb: ExpressionBuilder<DB, T>, viewer: RawBuilder<number>): Expression<SqlBool>
  /** SQL for the total; if absent, rows are counted one by one. */
  counted?(viewer: RawBuilder<number>): RawBuilder<number>
  /** Replaces `where`: a table with a single column `rowid`, read in id order. */
  rowids?(viewer: RawBuilder<number>): RawBuilder<unknown>
  /** An index on the id that also has all sort and filter columns. */
  readonly keys?: string
  /** Lists of `row_counts` that count the filtered rows; undefined if there is none. */
  countedIn?(query: ListQuery, filters: readonly string[]): readonly string[] | undefined
  /**
   * The index to use for a pair of filters, named in the order of their declaration. SQLite would pick an index with all
   * columns, or a narrower one since it thinks no index holds a generated column, and read every row.
   */
  readonly indexes?: Readonly<Record<string, string>>
  /** For lists whose order no index provides. */
  readonly finder?: PageFinder
}

export interface Filter<T extends ShownTable> {
  readonly param: Param<unknown>
  bind(value: unknown): Readonly<BoundValues>
  /** The caller's id is in the slot `viewer`. May depend on the form but not on the value, so that it compiles once. */
  where(eb: ExpressionBuilder<DB, T>, slot: Slots, form: FilterForm): Expression<SqlBool>
  /** SQL for the total if this is the only filter; if absent, rows are counted one by one. */
  counted?(slot: Slots): RawBuilder<number>
  /** The visible rows that match, in the form of `Rows.rowids`. */
  rowids?(slot: Slots): RawBuilder<unknown>
  /** The matching rows, bound as `ids`; best first if listed in that order, as without a requested sort (`isRanked`). */
  find?(value: unknown, read: Read, isRanked: boolean): Promise<readonly number[]>
  readonly countedBy?: CountedBy
  /** If this is the only filter: how many parts of a `union all` to merge, each read in order from an index. */
  unionParts?(value: unknown): number
}

export interface FilterForm {
  /** Whether it is the only filter, in which case its own index is the best. */
  readonly isOnlyFilter: boolean
  readonly part: number
  /** The row's id if `rowids` finds the rows; a condition on this alone avoids reading them. */
  readonly foundId: RawBuilder<number> | undefined
}

/** A list of `row_counts`, and SQL for the filter's key in it. */
export interface CountedBy {
  readonly list: string
  key(slot: Slots): RawBuilder<unknown>
}

export interface Sort<T extends ShownTable> {
  readonly what: string
  readonly column: keyof DB[T] & string
  readonly nullsLast?: true
  /** The minimum, which most rows have: the index of one filter's rows by this column leaves them out. */
  readonly least?: number
}

export function filter<T extends ShownTable, V, B extends BoundValues>(
  param: Param<V>,
  bind: (value: V) => B,
  where: (
    eb: ExpressionBuilder<DB, T>,
    slot: SlotOf<B & { viewer: number }>,
    form: FilterForm,
  ) => Expression<SqlBool>,
): Filter<T> {
  return {
    param,
    bind: (value) => bind(value as V),
    where: (eb, slot, form) => where(eb, slot as SlotOf<B & { viewer: number }>, form),
  }
}

export const countedBy = <T extends ShownTable>(
  list: string,
  key: CountedBy['key'],
  base: Filter<T>,
): Filter<T> => ({ ...base, countedBy: { list, key } })

/** Rows whose column holds one of the ids, bound as one JSON array. `idsOf` makes the subquery of ids from it. */
export const idsFilter = <T extends ShownTable>(
  param: Param<readonly number[]>,
  column: (form: FilterForm) => RawBuilder<number>,
  idsOf: (json: RawBuilder<string>) => RawBuilder<number> = idsAsSent,
): Filter<T> =>
  filter(
    param,
    (ids) => ({ ids: JSON.stringify(ids) }),
    (_, slot, form) => sql`${column(form)} in ${idsOf(slot('ids'))}`,
  )

/** The id of the listed row itself. */
export const ownId =
  (table: ShownTable) =>
  ({ foundId }: FilterForm): RawBuilder<number> =>
    foundId ?? sql.ref(`${table}.id`)

/** `filter_query`: searches the visible rows by `what`, best match first. */
export const rankedFilter = <T extends ShownTable>(
  table: T,
  what: string,
  example: string,
  find: (read: Read, query: string, isRanked: boolean) => Promise<readonly number[]>,
): Filter<T> => ({
  param: param(
    prose(longestQuery),
    `Extension: search by ${what}; sorted by relevance unless a sort is given`,
    example,
  ),
  bind: () => ({ ids: '[]' }),
  where: (_, slot, form) => sql`${ownId(table)(form)} in (select value from json_each(${slot('ids')}))`,
  counted: (slot) => sql`json_array_length(${slot('ids')})`,
  rowids: (slot) => sql`(select value as rowid from json_each(${slot('ids')}))`,
  find: (query, read, isRanked) => find(read, String(query), isRanked),
})

const longestQuery = 200

const idsAsSent = (json: RawBuilder<string>) => sql<number>`(select value from json_each(${json}))`
