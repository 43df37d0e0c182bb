import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Slots } from '../api/list-declaration'
import type { PlannedSort, PlanShape } from './query-plan'
import { sortKey } from './row-source'

/**
 * Which of a plan's rows are read: all, from the first or from the last one; from an id up or below an id; those of one
 * key of the first sort from an id up, or of the keys after it. Of a filter's rows the index by key leaves out those of
 * the least key, which so many have: they are read from the index by id.
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

/** The condition of a range: its bounds are in the slots `from`, `before` and `key`. */
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
    // A leading + keeps to the index of the filter's rows by id.
    'least key': [sql`+${ofKey}`, fromId],
  }
  return conditions[range]
}

/** What follows `order by`. */
export function rangeOrder(
  table: string,
  id: RawBuilder<number>,
  { sorts }: PlanShape,
  range: RowRange,
): RawBuilder<unknown> {
  // Rows of one key differ by their id alone.
  if (range === 'key' || range === 'filtered key' || range === 'least key') return id
  const backwards = range === 'backwards'
  return sql.join(sorts.map((sort) => orderBy(sortKey(table, id, sort.column), sort, backwards)))
}

function orderBy(value: RawBuilder<unknown>, { direction, nullsLast }: PlannedSort, backwards: boolean) {
  const way = (direction === 'asc') === backwards ? sql`desc` : sql`asc`
  if (!nullsLast) return sql`${value} ${way}`
  return sql`${value} ${way} nulls ${backwards ? sql`first` : sql`last`}`
}
