import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Read } from '../db/open'
import type { SlotOf } from '../db/prepared'
import type { DB } from '../db/schema'
import type { ListQuery, PageFinder, Values } from '../paging/query-plan'
import { prose } from '../values/text'
import type { Item } from './item'
import { type Param, param } from './params'
import type { ShownTable } from './resource'

/** A list as it is declared. */
export interface ListDeclaration<T extends ShownTable> {
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** The array's name in the envelope. */
  readonly key: string
  readonly item: Item<T>
  readonly rows: Rows<NoInfer<T>>
  readonly filters: Readonly<Record<string, Filter<NoInfer<T>>>>
  /** In their order of precedence; ties are sorted by id (D14). */
  readonly sorts: Readonly<Record<string, Sort<NoInfer<T>>>>
  /** What rows are sorted by before the id where no sort is asked. */
  readonly sortedBy?: keyof DB[NoInfer<T>] & string
}

export type Slots = SlotOf<Values & { readonly viewer: number }>

/** Which rows a list shows at all, and how many those are. */
export interface Rows<T extends ShownTable> {
  where?(eb: ExpressionBuilder<DB, T>, viewer: RawBuilder<number>): Expression<SqlBool>
  /** How many rows there are; counted one by one when not given. */
  counted?(viewer: RawBuilder<number>): RawBuilder<number>
  /** The rows instead of `where`: a table with the one column `rowid`, their ids, which is read in their order. */
  rowids?(viewer: RawBuilder<number>): RawBuilder<unknown>
  /** An index that begins with the id and has whatever the list is sorted and narrowed by. */
  readonly keys?: string
  /** Which lists of `row_counts` count the rows that these filters leave; undefined where none does. */
  countedIn?(query: ListQuery, filters: readonly string[]): readonly string[] | undefined
  /** Finds pages where no index is in the list's order. */
  readonly finder?: PageFinder
}

/** A request parameter that narrows a list by an SQL condition. */
export interface Filter<T extends ShownTable> {
  readonly param: Param<unknown>
  /** What of the parameter's value the condition binds, by name. */
  bind(value: unknown): Readonly<Values>
  /** The condition, with the caller's id in the slot `viewer`. Nothing of the value but the form is in it, so that it compiles once. */
  where(eb: ExpressionBuilder<DB, T>, slot: Slots, form: FilterForm): Expression<SqlBool>
  /** How many rows it leaves where no other filter narrows the list; counted one by one when not given. */
  counted?(slot: Slots): RawBuilder<number>
  /** The rows it leaves of those that the list shows at all: a table with the one column `rowid`, as for `Rows`. */
  rowids?(slot: Slots): RawBuilder<unknown>
  /** Looks up the rows it leaves, the best first; they are bound as `ids` and sorted like that where no sort is asked. */
  find?(value: unknown, read: Read): Promise<readonly number[]>
  /** Where `row_counts` counts the rows it leaves, in all and in blocks. */
  readonly countedBy?: CountedBy
  /** How many conditions a value is when it alone narrows the list: each read in order from an index, and merged. */
  unionParts?(value: unknown): number
}

/** Which form of a filter's condition is wanted. */
export interface FilterForm {
  /** Whether no other filter narrows the list: then its own index is the best there is. */
  readonly alone: boolean
  /** Which of the value's union parts, from 0. */
  readonly part: number
}

/** A list of `row_counts`, and the key that a filter's value is in it, as SQL of what the filter binds. */
export interface CountedBy {
  readonly list: string
  key(slot: Slots): RawBuilder<unknown>
}

/** A request parameter that sorts a list: what it sorts by, for the documentation and for SQL. */
export interface Sort<T extends ShownTable> {
  readonly what: string
  readonly column: keyof DB[T] & string
  /** Rows without a value come last in both directions. */
  readonly nullsLast?: true
  /** The value that most rows have, and none is below: the index of one filter's rows by this column leaves it out. */
  readonly least?: number
}

/** Declares a filter: what to bind of the value, and the condition with slots for that. */
export function filter<T extends ShownTable, V, B extends Values>(
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

/** The same filter, whose rows `row_counts` counts under a key of a list. */
export const countedBy = <T extends ShownTable>(
  list: string,
  key: CountedBy['key'],
  declared: Filter<T>,
): Filter<T> => ({ ...declared, countedBy: { list, key } })

/**
 * Rows whose id is in a list: one bound value, however long the list is. `idsOf` is the subquery of the ids that are meant,
 * from the JSON array that was sent.
 */
export const idsFilter = <T extends ShownTable>(
  param: Param<readonly number[]>,
  column: RawBuilder<number>,
  idsOf: (json: RawBuilder<string>) => RawBuilder<number> = idsAsSent,
): Filter<T> =>
  filter(
    param,
    (ids) => ({ ids: JSON.stringify(ids) }),
    (_, slot) => sql`${column} in ${idsOf(slot('ids'))}`,
  )

/** `filter_query`: rows that a search finds by `what`, the best first, of those that the list shows at all. */
export const rankedFilter = <T extends ShownTable>(
  what: string,
  example: string,
  find: (read: Read, query: string) => Promise<readonly number[]>,
): Filter<T> => ({
  param: param(
    prose(longestQuery),
    `Extension: what a search finds by ${what}; sorted by relevance where no sort is asked`,
    example,
  ),
  bind: () => ({ ids: '[]' }),
  where: () => sql`true`,
  rowids: (slot) => sql`(select value as rowid, key as place from json_each(${slot('ids')}))`,
  find: (query, read) => find(read, String(query)),
})

const longestQuery = 200

const idsAsSent = (json: RawBuilder<string>) => sql<number>`(select value from json_each(${json}))`
