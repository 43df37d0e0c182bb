import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Slots } from '../api/list-declaration'
import type { PlannedSort, PlanShape } from './query-plan'
import { sortKey } from './row-source'

/**
 * The rows to read: all from either end, from or below an id, or by the key of the first sort. A filter's index by key
 * omits the least key, which most rows have: those are read from its index by id, and with two filters so are the others.
 */
export type RowRange =
  | 'all'
  | 'backwards'
  | 'up'
  | 'down'
  | 'key'
  | 'keys after'
  | 'filtered key'
  | 'filtered keys after'
  | 'least key'
  | 'above least'

/** Bounds are in the slots `from`, `before` and `key`. */
export function rangeCondition(
  table: string,
  { sorts: [sort] }: PlanShape,
  range: RowRange,
  slot: Slots,
): RawBuilder<SqlBool>[] {
  const [id, key] = [sql.ref(`${table}.id`), sql.ref(`${table}.${sort.column}`)]
  const fromId = sql<SqlBool>`${id} >= ${slot('from')}`
  const ofKey = sql<SqlBool>`${key} = ${slot('key')}`
  const afterKey = sql<SqlBool>`${key} ${sort.direction === 'asc' ? sql`>` : sql`<`} ${slot('key')}`
  const inIndex = sql<SqlBool>`${key} > ${sql.lit(sort.least ?? null)}`
  const conditions: Readonly<Record<RowRange, RawBuilder<SqlBool>[]>> = {
    all: [],
    backwards: [],
    up: [fromId],
    down: [sql`${id} < ${slot('before')}`],
    key: [ofKey, fromId],
    'keys after': [afterKey],
    'filtered key': [ofKey, fromId, inIndex],
    'filtered keys after': [afterKey, inIndex],
    // The unary + makes SQLite use the filter's index by id.
    'least key': [sql`+${ofKey}`, fromId],
    'above least': [isAboveLeast(table, sort)],
  }
  return conditions[range]
}

/** The unary + keeps SQLite from choosing one filter's index by this column, which lacks the other filters. */
export const isAboveLeast = (table: string, { column, least }: PlannedSort): RawBuilder<SqlBool> =>
  sql`+${sql.ref(`${table}.${column}`)} > ${sql.lit(least ?? null)}`

export function rangeOrder(
  table: string,
  id: RawBuilder<number>,
  { sorts }: PlanShape,
  range: RowRange,
): RawBuilder<unknown> {
  // Rows with the same key differ only in the id.
  if (range === 'key' || range === 'filtered key' || range === 'least key') return id
  const backwards = range === 'backwards'
  return sql.join(sorts.map((sort) => orderBy(sortKey(table, id, sort.column), sort, backwards)))
}

function orderBy(value: RawBuilder<unknown>, { direction, nullsLast }: PlannedSort, backwards: boolean) {
  const way = (direction === 'asc') === backwards ? sql`desc` : sql`asc`
  if (!nullsLast) return sql`${value} ${way}`
  return sql`${value} ${way} nulls ${backwards ? sql`first` : sql`last`}`
}
