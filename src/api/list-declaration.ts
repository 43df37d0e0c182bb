import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Read } from '../db/open'
import type { SlotOf } from '../db/prepared'
import type { DB } from '../db/schema'
import type { FilterForm, PagedList, RowFilter, RowSort, ShownTable } from '../paging/paged-list'
import type { BoundValues } from '../paging/query-plan'
import { prose } from '../values/text'
import type { Item } from './item'
import { type Param, param } from './params'

/** What a list is to clients; how its pages are found is declared in the members of `PagedList`. */
export interface ListDeclaration<T extends ShownTable> extends Omit<PagedList<T>, 'table'> {
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly key: string
  readonly item: Item<T>
  readonly filters: Readonly<Record<string, Filter<NoInfer<T>>>>
  readonly sorts: Readonly<Record<string, Sort<NoInfer<T>>>>
}

export interface Filter<T extends ShownTable> extends RowFilter<T> {
  readonly param: Param<unknown>
}

export interface Sort<T extends ShownTable> extends RowSort<T> {
  readonly what: string
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
