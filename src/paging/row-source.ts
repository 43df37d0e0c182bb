import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { audienceOf } from '../../db/facts/withheld'
import { isSeen, seer } from '../db/guard/audience'
import type { DB } from '../db/schema'
import type { ListSlots, PagedList, ShownTable } from './paged-list'
import type { PlanShape } from './query-plan'

export interface RowSource {
  /** The `from` clause: the table, a list of ids in order, or both. */
  readonly from: RawBuilder<unknown>
  readonly id: RawBuilder<number>
  readonly conditions: readonly Expression<SqlBool>[]
}

export interface SourcePart {
  /** Of the only filter. */
  readonly part: string | undefined
  /** Whether rows above the least value of the first sort are read, from the index that has only those. */
  readonly isAbove: boolean
  /** Whether columns besides the id are needed. */
  readonly wanted: 'id' | 'columns'
}

export function rowSource<T extends ShownTable>(
  list: PagedList<T>,
  { filters, isWalked, isShared }: PlanShape,
  slot: ListSlots,
  { part, isAbove, wanted }: SourcePart,
): RowSource {
  const { table } = list
  const rowidsFilter = isWalked ? undefined : rowidsFilterOf(list, filters)
  const rowids =
    rowidsFilter === undefined ? list.rows.rowids?.(slot('viewer')) : rowidsOf(list, rowidsFilter, slot)
  const others = filters.filter((name) => name !== rowidsFilter)
  // The unary + keeps SQLite from looking up ids one by one in their source: FTS5 starts over for each.
  const found = rowids === undefined ? undefined : sql<number>`+${foundId}`
  const form = { part, foundId: found }
  const eb = expressionBuilder<DB, T>()
  const conditions = others.flatMap((name) => list.filters[name]?.where(eb, slotsOf(name, slot), form) ?? [])
  if (rowids === undefined) {
    const shown = list.rows.where?.(eb, slot('viewer')) ?? []
    const index = part === undefined ? indexFor(list, filters, { isAbove, isShared }) : undefined
    return {
      from: sql`${tableOf(table)} ${indexedBy(index)}`,
      id: sql.ref(`${table}.id`),
      conditions: [isShared ? sharedRow(list) : seenRow(table), shown, conditions].flat(),
    }
  }
  const isTableRead = wanted === 'columns' || conditions.length > 0
  return { from: isTableRead ? joinTable(list, rowids) : sql`${rowids} as found`, id: foundId, conditions }
}

/** A view has no index to be named: here, and nowhere else, the guard's condition is written beside the table itself. */
const tableOf = (table: string) =>
  audienceOf(table) === undefined ? sql.table(table) : sql`main.${sql.table(table)} as ${sql.table(table)}`

const seenRow = (table: string) =>
  audienceOf(table) === undefined ? [] : sql<SqlBool>`${sql.raw(isSeen(table, table, seer))}`

/** While a profile is being moved, the ids of its rows may be among those of shared ones: their rows are read guarded. */
const sharedRow = <T extends ShownTable>({ table, rows }: PagedList<T>) =>
  sql<SqlBool>`${rows.shared ?? sql`${sql.ref(`${table}.withheld`)} = 0`}`

/** The filter whose ids the others narrow: rather a text that thousands of rows have than ids returned by `find`. */
export const rowidsFilterOf = <T extends ShownTable>(list: PagedList<T>, names: readonly string[]) =>
  names.find((name) => list.filters[name]?.rowids && !list.filters[name].find) ??
  names.find((name) => list.filters[name]?.find)

/** Slots are named `<filter>.<name>`; `viewer` is shared by all filters. */
export const slotsOf =
  (filter: string, slot: ListSlots): ListSlots =>
  (name) =>
    slot(name === 'viewer' ? name : `${filter}.${name}`)

const foundId = sql.ref<number>('found.rowid')

/** The SQL expression to sort by. */
export const sortKey = (table: string, id: RawBuilder<number>, column: string): RawBuilder<unknown> =>
  column === 'id' ? id : sql.ref(`${table}.${column}`)

const rowidsOf = <T extends ShownTable>({ filters }: PagedList<T>, name: string, slot: ListSlots) =>
  filters[name]?.rowids?.(slotsOf(name, slot))

function indexFor<T extends ShownTable>(
  { rows: { indexes = {} } }: PagedList<T>,
  filters: readonly string[],
  { isAbove, isShared }: { readonly isAbove: boolean; readonly isShared: boolean },
): string | undefined {
  const fits = (served: readonly string[]) =>
    served.length === 0 ? isShared && !isAbove : served.every((name) => filters.includes(name))
  return Object.keys(indexes).find((index) => fits(indexes[index] ?? []))
}

/** `cross join` keeps the order of the ids. */
function joinTable<T extends ShownTable>({ table, rows }: PagedList<T>, rowids: RawBuilder<unknown>) {
  return sql`${rowids} as found
    cross join ${sql.table(table)} ${indexedBy(rows.keys)} on ${sql.ref(`${table}.id`)} = ${foundId}`
}

const indexedBy = (index: string | undefined) =>
  index === undefined ? sql`` : sql`indexed by ${sql.table(index)}`
