import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ListDeclaration, Slots } from '../api/list-declaration'
import type { ShownTable } from '../api/resource'
import type { DB } from '../db/schema'
import type { PlanShape } from './query-plan'

export interface RowSource {
  /** The `from` clause: the table, a list of ids in order, or both. */
  readonly from: RawBuilder<unknown>
  readonly id: RawBuilder<number>
  readonly conditions: readonly Expression<SqlBool>[]
}

/** `wanted`: whether columns besides the id are needed. */
export function rowSource<T extends ShownTable>(
  list: ListDeclaration<T>,
  { filters, isWalked }: PlanShape,
  slot: Slots,
  part: number,
  wanted: 'id' | 'columns',
): RowSource {
  const { table } = list.item
  const rowidsFilter = isWalked ? undefined : rowidsFilterOf(list, filters)
  const rowids =
    rowidsFilter === undefined ? list.rows.rowids?.(slot('viewer')) : rowidsOf(list, rowidsFilter, slot)
  const others = filters.filter((name) => name !== rowidsFilter)
  // The unary + keeps SQLite from looking up ids one by one in their source: FTS5 starts over for each.
  const found = rowids === undefined ? undefined : sql<number>`+${foundId}`
  const form = { isOnlyFilter: filters.length === 1, part, foundId: found }
  const eb = expressionBuilder<DB, T>()
  const conditions = others.flatMap((name) => list.filters[name]?.where(eb, slotsOf(name, slot), form) ?? [])
  if (rowids === undefined) {
    const shown = list.rows.where?.(eb, slot('viewer')) ?? []
    return {
      from: sql`${sql.table(table)} ${indexedBy(list.rows.indexes?.[filters.join(' ')])}`,
      id: sql.ref(`${table}.id`),
      conditions: [shown, conditions].flat(),
    }
  }
  const isTableRead = wanted === 'columns' || conditions.length > 0
  return { from: isTableRead ? joinTable(list, rowids) : sql`${rowids} as found`, id: foundId, conditions }
}

/** The filter whose ids the others narrow: rather a text that thousands of rows have than ids returned by `find`. */
export const rowidsFilterOf = <T extends ShownTable>(list: ListDeclaration<T>, names: readonly string[]) =>
  names.find((name) => list.filters[name]?.rowids && !list.filters[name].find) ??
  names.find((name) => list.filters[name]?.find)

/** Slots are named `<filter>.<name>`; `viewer` is shared by all filters. */
export const slotsOf =
  (filter: string, slot: Slots): Slots =>
  (name) =>
    slot(name === 'viewer' ? name : `${filter}.${name}`)

const foundId = sql.ref<number>('found.rowid')

/** The SQL expression to sort by. */
export const sortKey = (table: string, id: RawBuilder<number>, column: string): RawBuilder<unknown> =>
  column === 'id' ? id : sql.ref(`${table}.${column}`)

const rowidsOf = <T extends ShownTable>({ filters }: ListDeclaration<T>, name: string, slot: Slots) =>
  filters[name]?.rowids?.(slotsOf(name, slot))

/** `cross join` keeps the order of the ids. */
function joinTable<T extends ShownTable>({ item, rows }: ListDeclaration<T>, rowids: RawBuilder<unknown>) {
  return sql`${rowids} as found
    cross join ${sql.table(item.table)} ${indexedBy(rows.keys)} on ${sql.ref(`${item.table}.id`)} = ${foundId}`
}

const indexedBy = (index: string | undefined) =>
  index === undefined ? sql`` : sql`indexed by ${sql.table(index)}`
