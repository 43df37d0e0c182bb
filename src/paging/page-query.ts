import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { ListDeclaration, Slots } from '../api/list-declaration'
import type { ShownTable } from '../api/resource'
import type { Read } from '../db/open'
import { preparedSql } from '../db/prepared'
import { rowCount, rowCountOfAll } from '../db/row-counts'
import { type BoundValues, onlyFilter, type PageRange, type PlanShape, type QueryPlan } from './query-plan'
import { isAboveLeast, type RowRange, rangeCondition, rangeOrder } from './row-range'
import { rowSource, slotsOf } from './row-source'

export interface PageQueries {
  ids(plan: QueryPlan, range: RowRange, bounds: PageRange & Partial<Bounds>, read: Read): Promise<number[]>
  /** From a counter if there is one, otherwise by counting rows. */
  count(plan: QueryPlan, read: Read): Promise<number>
  /** Counts rows, and those whose key of the first sort is above the least. */
  countAbove(plan: QueryPlan, read: Read): Promise<{ total: number; above: number }>
  /** Key in `row_counts` of the only filter's rows; null if they are not counted. */
  key(plan: QueryPlan, read: Read): Promise<number | null>
}

export interface Bounds {
  readonly key: number
  readonly from: number
  readonly before: number
}

/** An LRU of compiled queries: clients may send tens of thousands of different ones (promise 12). */
export function pageQueries<T extends ShownTable>(list: ListDeclaration<T>): PageQueries {
  const compiled = new LRUCache<string, Query>({ max: compiledQueries })
  const compile = (name: string, plan: QueryPlan, build: (slot: Slots) => RawBuilder<IdRow>): Query => {
    const key = `${name} ${plan.shapeKey}`
    const query = compiled.get(key) ?? preparedSql<IdRow, BoundValues>(build)
    compiled.set(key, query)
    return query
  }
  const one = async (name: string, plan: QueryPlan, read: Read, number: typeof totalOf) => {
    const query = compile(name, plan, (slot) => sql`select ${number(list, plan.shape, slot)} as id`)
    return (await query(read, plan.values))[0]?.id ?? null
  }
  return {
    ids: async (plan, range, bounds, read) => {
      const query = compile(range, plan, (slot) => idsIn(list, plan.shape, range, slot))
      const rows = await query(read, { ...plan.values, ...bounds })
      return rows.map(({ id }) => id ?? 0)
    },
    count: async (plan, read) => (await one('count', plan, read, totalOf)) ?? 0,
    countAbove: async (plan, read) => {
      const query = compile('count above', plan, (slot) => totalAndAbove(list, plan.shape, slot))
      const [row] = await query(read, plan.values)
      return { total: row?.id ?? 0, above: row?.above ?? 0 }
    },
    key: (plan, read) => one('key', plan, read, keyOf),
  }
}

const compiledQueries = 64

interface IdRow {
  readonly id: number | null
  readonly above?: number
}

type Query = (read: Read, values: BoundValues) => Promise<readonly IdRow[]>

/** Selects only ids, so that skipped rows are read from an index. The parts of a union are merged row by row. */
function idsIn<T extends ShownTable>(
  list: ListDeclaration<T>,
  shape: PlanShape,
  range: RowRange,
  slot: Slots,
): RawBuilder<IdRow> {
  const { table } = list.item
  const wanted = shape.sorts[0].column === 'id' ? 'id' : 'columns'
  const source = (part: number) => rowSource(list, shape, slot, part, wanted)
  const parts = partsOf(shape).map((part) => {
    const { from, id, conditions } = source(part)
    const sorted =
      shape.unionParts === 1 ? [] : shape.sorts.map(({ column }) => sql.ref(`${table}.${column}`))
    return sql`select ${sql.join([sql`${id} as id`, ...sorted])} from ${from}
      ${where([...conditions, ...rangeCondition(table, shape, range, slot)])}`
  })
  return sql`${sql.join(parts, sql` union all `)} order by ${rangeOrder(table, source(0).id, shape, range)}
    limit ${slot('limit')} offset ${slot('offset')}`
}

function totalOf<T extends ShownTable>(
  list: ListDeclaration<T>,
  shape: PlanShape,
  slot: Slots,
): RawBuilder<unknown> {
  if (shape.isCounted) return rowCountOfAll(slot('lists'))
  if (shape.filters.length === 0 && list.rows.counted) return list.rows.counted(slot('viewer'))
  const only = onlyFilter(shape.filters)
  const { counted, countedBy } = (only === undefined ? undefined : list.filters[only]) ?? {}
  if (counted) return counted(slotsOf(only ?? '', slot))
  if (countedBy) return rowCount(countedBy.list, keyOf(list, shape, slot))
  const counts = partsOf(shape).map((part) => {
    const { from, conditions } = rowSource(list, shape, slot, part, 'id')
    return sql`(select count(*) from ${from} ${where(conditions)})`
  })
  return sql<number>`(${sql.join(counts, sql` + `)})`
}

function totalAndAbove<T extends ShownTable>(
  list: ListDeclaration<T>,
  shape: PlanShape,
  slot: Slots,
): RawBuilder<IdRow> {
  const { from, conditions } = rowSource(list, shape, slot, 0, 'columns')
  const above = isAboveLeast(list.item.table, shape.sorts[0])
  return sql`select count(*) as id, count(*) filter (where ${above}) as above from ${from} ${where(conditions)}`
}

function keyOf<T extends ShownTable>(
  { filters }: ListDeclaration<T>,
  shape: PlanShape,
  slot: Slots,
): RawBuilder<unknown> {
  const only = onlyFilter(shape.filters) ?? ''
  return filters[only]?.countedBy?.key(slotsOf(only, slot)) ?? sql.lit(null)
}

const partsOf = ({ unionParts }: PlanShape) => Array.from({ length: unionParts }, (_, part) => part)

const where = (conditions: readonly unknown[]) =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
