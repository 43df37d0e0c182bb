import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { keptReads } from '../db/generations/tracked-read'
import type { Read } from '../db/open'
import { type BoundQuery, boundSql } from '../db/prepared'
import { emptiedAtRest } from '../lib/collect-garbage'
import type { ListSlots, PagedList, ShownTable } from './paged-list'
import {
  type BoundValues,
  onlyFilter,
  type PageRange,
  type PlannedSort,
  type PlanShape,
  type QueryPlan,
} from './query-plan'
import { rowSource, type SourcePart, slotsOf, sortKey } from './row-source'

export interface PageQueries {
  ids(plan: QueryPlan, walk: RowWalk, page: PageRange, read: Read): Promise<number[]>
  count(plan: QueryPlan, read: Read): Promise<RowTotals>
  /** Of a list that is sorted by id and not filtered. `rows`: their number. */
  landmarks(plan: QueryPlan, rows: number, read: Read): Promise<Landmarks>
}

/** The id of a row and how many rows come before it. */
interface Landmark {
  readonly offset: number
  readonly id: number
}

/**
 * Rows of a list in order of ids, from which later pages are walked to: one for each 64th of the list, the first of those that
 * pages have begun with. They hold until a row is added, removed or hidden. In 18,000 works a random page takes 47 µs of 211
 * less, in 1,000,000 records 0.6 ms instead of 3.7.
 */
export class Landmarks {
  /** Rows of a 64th. */
  readonly #stretch: number
  /** By stretch; NaN where no page has begun. */
  readonly #offsets = new Float64Array(stretches).fill(Number.NaN)
  readonly #ids = new Float64Array(stretches)

  constructor(rows: number, first: number | undefined) {
    this.#stretch = Math.max(Math.ceil(rows / stretches), 1)
    if (first !== undefined) this.add({ offset: 0, id: first })
  }

  add({ offset, id }: Landmark): void {
    const stretch = this.#stretchOf(offset)
    if (offset >= (this.#offsets[stretch] ?? Number.NEGATIVE_INFINITY)) return
    this.#offsets[stretch] = offset
    this.#ids[stretch] = id
  }

  /** The last one up to there. */
  upTo(offset: number): Landmark | undefined {
    for (let stretch = this.#stretchOf(offset); stretch >= 0; stretch--) {
      const [found = Number.NaN, id = 0] = [this.#offsets[stretch], this.#ids[stretch]]
      if (found <= offset) return { offset: found, id }
    }
    return undefined
  }

  #stretchOf(offset: number): number {
    return Math.min(Math.floor(offset / this.#stretch), stretches - 1)
  }
}

const stretches = 64

/** All rows, or by the first sort's column those with the least value or those above it; from either end. */
export interface RowWalk {
  readonly over: 'all' | 'least' | 'above'
  readonly isBackwards: boolean
  /** The id of the row that the walk begins with. */
  readonly from?: number
}

export interface RowTotals {
  readonly total: number
  /** Those above the least value of the first sort; 0 if it has none. */
  readonly above: number
}

/** An LRU of compiled queries: clients may send tens of thousands of different ones (promise 12). */
export function pageQueries<T extends ShownTable>(list: PagedList<T>): PageQueries {
  const compiled = emptiedAtRest(
    new LRUCache<string, BoundQuery<unknown, BoundValues>>({ max: compiledQueries }),
  )
  const queryOf = <R>(
    name: string,
    { shape, shapeKey }: QueryPlan,
    build: (shape: PlanShape, slot: ListSlots) => RawBuilder<R>,
  ): BoundQuery<R, BoundValues> => {
    const key = `${name} ${shapeKey}`
    const query = compiled.get(key) ?? boundSql<R, BoundValues>((slot) => build(shape, slot))
    compiled.set(key, query)
    return query as BoundQuery<R, BoundValues>
  }
  const idsQuery = (plan: QueryPlan, walk: RowWalk) =>
    queryOf(`${walk.over} ${walk.isBackwards} ${walk.from !== undefined}`, plan, (shape, slot) =>
      idsIn(list, shape, walk, slot),
    )
  const ids: PageQueries['ids'] = async (plan, walk, page, read) => {
    const from = walk.from === undefined ? {} : { from: walk.from }
    const rows = await idsQuery(plan, walk).run(read, { ...plan.values, ...page, ...from })
    return rows.map(({ id }) => id)
  }
  const totals = keptReads<RowTotals>(keptTotals)
  const landmarks = keptReads<Landmarks>(keptLandmarks)
  return {
    ids,
    count: (plan, read) => {
      const query = queryOf('count', plan, (shape, slot) => totalsOf(list, shape, slot))
      return totals(read, keptKey(plan, query), async (read) => {
        const [counted] = await query.run(read, plan.values)
        return counted ?? { total: 0, above: 0 }
      })
    },
    landmarks: (plan, rows, read) =>
      landmarks(read, keptKey(plan, idsQuery(plan, forwards)), async (read) => {
        // Looks for the first row so that the landmarks are kept until a commit touches what it is read from.
        const [first] = await ids(plan, forwards, { offset: 0, limit: 1 }, read)
        return new Landmarks(rows, first)
      }),
  }
}

/** Callers share what does not depend on them: only values that the query binds are in the key. */
const keptKey = ({ shapeKey, values }: QueryPlan, { slots }: { readonly slots: readonly string[] }): string =>
  `${shapeKey} ${JSON.stringify(slots.map((name) => values[name]))}`

export const forwards = { over: 'all', isBackwards: false } as const

const compiledQueries = 64

/** Per list; there are some forty. Each takes about 500 bytes. */
const keptTotals = 250

/** Per list. Each takes about 1.5 KB. */
const keptLandmarks = 30

/** Selects only ids, so that skipped rows are read from an index. The parts of a filter are merged row by row. */
function idsIn<T extends ShownTable>(
  list: PagedList<T>,
  shape: PlanShape,
  walk: RowWalk,
  slot: ListSlots,
): RawBuilder<{ readonly id: number }> {
  const { table } = list
  const { sorts } = shape
  const wanted = sorts[0].column === 'id' ? 'id' : 'columns'
  const sources = partsOf(shape, walk).map((part) => rowSource(list, shape, slot, { ...part, wanted }))
  const selects = sources.map(({ from, id, conditions }) => {
    const sorted = sources.length === 1 ? [] : sorts.map(({ column }) => sql.ref(`${table}.${column}`))
    return sql`select ${sql.join([sql`${id} as id`, ...sorted])} from ${from}
      ${where([...conditions, ...conditionOf(table, shape, walk), ...beginOf(id, shape, walk, slot)])}`
  })
  const id = sources[0]?.id ?? sql.ref(`${table}.id`)
  const order = sorts.map((sort) => orderBy(sortKey(table, id, sort.column), sort, walk.isBackwards))
  return sql`${sql.join(selects, sql` union all `)} order by ${sql.join(order)}
    limit ${slot('limit')} offset ${slot('offset')}`
}

/** Rows above the least value have an index of their own, so no part of a filter brings another. */
function partsOf({ parts }: PlanShape, { over }: RowWalk): readonly Omit<SourcePart, 'wanted'>[] {
  const isAbove = over === 'above'
  if (isAbove || parts.length === 0) return [{ part: undefined, isAbove }]
  return parts.map((part) => ({ part, isAbove }))
}

function conditionOf(table: string, { sorts: [sort] }: PlanShape, { over }: RowWalk): RawBuilder<SqlBool>[] {
  if (over === 'all') return []
  // Not bound: SQLite uses a partial index only for a condition that it can read.
  const least = sql.lit(sort.least ?? null)
  return [sql`${sql.ref(`${table}.${sort.column}`)} ${over === 'above' ? sql`>` : sql`=`} ${least}`]
}

function beginOf(
  id: RawBuilder<number>,
  { sorts: [{ direction }] }: PlanShape,
  { from }: RowWalk,
  slot: ListSlots,
): RawBuilder<SqlBool>[] {
  if (from === undefined) return []
  return [sql`${id} ${direction === 'asc' ? sql`>=` : sql`<=`} ${slot('from')}`]
}

function orderBy(value: RawBuilder<unknown>, { direction, nullsLast }: PlannedSort, isBackwards: boolean) {
  const way = (direction === 'asc') === isBackwards ? sql`desc` : sql`asc`
  if (!nullsLast) return sql`${value} ${way}`
  return sql`${value} ${way} nulls ${isBackwards ? sql`first` : sql`last`}`
}

function totalsOf<T extends ShownTable>(
  list: PagedList<T>,
  shape: PlanShape,
  slot: ListSlots,
): RawBuilder<RowTotals> {
  const above = shape.sorts[0].least === undefined ? sql.lit(0) : countOver('above', list, shape, slot)
  return sql`select ${totalOf(list, shape, slot)} as total, ${above} as above`
}

function totalOf<T extends ShownTable>(
  list: PagedList<T>,
  shape: PlanShape,
  slot: ListSlots,
): RawBuilder<number> {
  if (shape.filters.length === 0 && list.rows.counted) return list.rows.counted(slot('viewer'))
  if (shape.filters.length === 0 && shape.isShared) return sharedRows(list.table)
  const only = onlyFilter(shape.filters)
  const counted = only === undefined ? undefined : list.filters[only]?.counted
  return counted?.(slotsOf(only ?? '', slot)) ?? countOver('all', list, shape, slot)
}

/** SQL for the number of a table's rows that are shared: SQLite counts all of them by the page. */
export const sharedRows = (
  table: string,
): RawBuilder<number> => sql<number>`((select count(*) from main.${sql.table(table)})
  - (select number from withheld_rows where table_name = ${sql.lit(table)}))`

function countOver<T extends ShownTable>(
  over: RowWalk['over'],
  list: PagedList<T>,
  shape: PlanShape,
  slot: ListSlots,
): RawBuilder<number> {
  const walk = { over, isBackwards: false } as const
  const wanted = over === 'all' ? 'id' : 'columns'
  const counts = partsOf(shape, walk).map((part) => {
    const { from, conditions } = rowSource(list, shape, slot, { ...part, wanted })
    return sql`(select count(*) from ${from} ${where([...conditions, ...conditionOf(list.table, shape, walk)])})`
  })
  return sql<number>`(${sql.join(counts, sql` + `)})`
}

const where = (conditions: readonly unknown[]) =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
