import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ListDeclaration, Slots } from '../api/list-declaration'
import type { ShownTable } from '../api/resource'
import type { DB } from '../db/schema'
import { type PlanShape, relevance } from './query-plan'

/** Where a plan's rows are read from, in SQL. */
export interface RowSource {
  /** What follows `from`: the table, ids that are read in order, or both. */
  readonly from: RawBuilder<unknown>
  readonly id: RawBuilder<number>
  readonly conditions: readonly Expression<SqlBool>[]
}

/** The rows of one union part. `wanted`: whether columns of the table are, besides the id. */
export function rowSource<T extends ShownTable>(
  list: ListDeclaration<T>,
  { filters }: PlanShape,
  slot: Slots,
  part: number,
  wanted: 'id' | 'columns',
): RowSource {
  const { table } = list.item
  const finding =
    filters.find((name) => list.filters[name]?.find) ?? filters.find((name) => list.filters[name]?.rowids)
  const rowids = finding === undefined ? list.rows.rowids?.(slot('viewer')) : rowidsOf(list, finding, slot)
  const others = filters.filter((name) => name !== finding)
  const form = { alone: filters.length === 1, part }
  const eb = expressionBuilder<DB, T>()
  const conditions = others.flatMap((name) => list.filters[name]?.where(eb, slotsOf(name, slot), form) ?? [])
  if (rowids === undefined) {
    const shown = list.rows.where?.(eb, slot('viewer')) ?? []
    return {
      from: sql.table(table),
      id: sql.ref(`${table}.id`),
      conditions: [shown, conditions].flat(),
    }
  }
  const isTableRead = wanted === 'columns' || conditions.length > 0
  return { from: isTableRead ? besideTable(list, rowids) : sql`${rowids} as found`, id: foundId, conditions }
}

/** A filter's slots, under its own name; the caller's id is everybody's. */
export const slotsOf =
  (filter: string, slot: Slots): Slots =>
  (name) =>
    slot(name === 'viewer' ? name : `${filter}.${name}`)

const foundId = sql.ref<number>('found.rowid')

/** What rows are sorted by, as SQL: the id, a column, or the place of a row among those that were looked up. */
export function sortKey(table: string, id: RawBuilder<number>, column: string): RawBuilder<unknown> {
  if (column === 'id') return id
  return column === relevance ? sql.ref('found.place') : sql.ref(`${table}.${column}`)
}

const rowidsOf = <T extends ShownTable>({ filters }: ListDeclaration<T>, name: string, slot: Slots) =>
  filters[name]?.rowids?.(slotsOf(name, slot))

/** Found rows with the columns of their table; `cross join` keeps the order of the ids. */
function besideTable<T extends ShownTable>({ item, rows }: ListDeclaration<T>, rowids: RawBuilder<unknown>) {
  const index = rows.keys === undefined ? sql`` : sql`indexed by ${sql.table(rows.keys)}`
  return sql`${rowids} as found
    cross join ${sql.table(item.table)} ${index} on ${sql.ref(`${item.table}.id`)} = ${foundId}`
}
