import { type RawBuilder, sql } from 'kysely'
import type { Read } from '../../db/open'
import { type Bindable, preparedSql } from '../../db/prepared'
import type { Args, ConnectionField, ConnectionPage, List, Order } from '../declare/field'
import type { Budget } from './budget'
import { pageOf, type Range, rangeOf } from './page'
import { PieceSizes, type RowLoader } from './rows'

interface Wanted extends PromiseWithResolvers<ConnectionPage> {
  /** How many times the answer contains the page. */
  uses: number
}

interface Batch {
  readonly parents: Map<number, Wanted>
  readonly range: Range
  readonly plan: PlannedList
}

/** The lists of one request. The same list of several rows, requested in one turn, is read by a single query. */
export class ListLoader {
  readonly #waiting = new Map<ConnectionField, Map<string, Batch>>()

  constructor(
    private readonly reads: Record<'seen' | 'shared', Read>,
    private readonly viewer: number,
    private readonly budget: Budget,
    private readonly rows: RowLoader,
  ) {}

  load(field: ConnectionField, parent: number, args: Args): Promise<ConnectionPage> {
    this.budget.takeSent(valuesIn(args))
    const batches = this.#waiting.get(field) ?? new Map<string, Batch>()
    this.#waiting.set(field, batches)
    const key = JSON.stringify(args)
    const batch = batches.get(key) ?? this.#startBatch(field, args, batches, key)
    const page = batch.parents.get(parent) ?? { ...Promise.withResolvers<ConnectionPage>(), uses: 0 }
    page.uses += 1
    batch.parents.set(parent, page)
    return page.promise
  }

  #startBatch({ list }: ConnectionField, args: Args, batches: Map<string, Batch>, key: string): Batch {
    const batch = { parents: new Map(), range: rangeOf(args), plan: planList(list, args) }
    batches.set(key, batch)
    const task = () => {
      batches.delete(key)
      return this.#readBatch(list, batch)
    }
    // A list on Query has a single parent, so there is nothing to wait for.
    if (list.parent === undefined) void this.budget.readNow(task).catch(() => {})
    else this.budget.read(task)
    return batch
  }

  async #readBatch(list: List, batch: Batch): Promise<void> {
    const parents = [...batch.parents.keys()]
    const pieces = new PieceSizes(parentsAtFirst, parentsAtOnce)
    try {
      for (let from = 0; from < parents.length; ) {
        const some = parents.slice(from, from + pieces.size)
        await this.budget.pause()
        await pieces.run(() => this.#readPiece(list, batch, some))
        from += some.length
      }
    } catch (cause) {
      // An aborted execution waits for none of them, and creating 36,000 errors would take 0.3 s.
      if (this.budget.failure !== undefined) return
      for (const page of batch.parents.values()) page.reject(cause)
    }
  }

  async #readPiece(
    { of: type, isShared }: List,
    { parents, range, plan }: Batch,
    some: readonly number[],
  ): Promise<void> {
    const read = isShared ? this.reads.shared : this.reads.seen
    const { offset } = range
    const bound = { parents: JSON.stringify(some), viewer: this.viewer, limit: this.#limitOf(range), offset }
    const found = await plan.run(read, { ...plan.values, ...bound })
    const pages = found.map(({ parent, ids }) => [parent, pageOf(range, JSON.parse(ids))] as const)
    for (const [parent, { ids }] of pages) this.budget.takeRows(ids.length * (parents.get(parent)?.uses ?? 0))
    await this.rows.loadAll(
      type,
      pages.flatMap(([, { ids }]) => ids),
    )
    for (const [parent, page] of pages) {
      const rows = await this.rows.loadAll(type, page.ids)
      parents.get(parent)?.resolve({ ...page, rows })
    }
  }

  /** One more than will be sent, to see whether there are more; everything if counted from the end. */
  #limitOf({ length, last }: Range): number {
    if (last === undefined) return Math.min(length, this.budget.rowsLeft) + 1
    return length === Number.POSITIVE_INFINITY ? -1 : length + 1
  }
}

interface FoundIds {
  readonly parent: number
  /** A JSON array in the order of the list. */
  readonly ids: string
}

interface PlannedList {
  readonly run: (read: Read, values: Record<string, Bindable>) => Promise<readonly FoundIds[]>
  /** Values of the filters. */
  readonly values: Readonly<Record<string, Bindable>>
}

/** Throws for arguments that break a rule. */
function planList(list: List, args: Args): PlannedList {
  const given = Object.entries(list.filters ?? {}).filter(([name]) => (args[name] ?? null) !== null)
  const bound = given.map(([name, filter]) => [name, filter.bind(args[name] as never)] as const)
  const applied = bound.filter((pair): pair is [string, Bindable] => pair[1] !== undefined)
  const values = Object.fromEntries(applied)
  const names = Object.keys(values)
  const { field, direction } = (args.orderBy ?? {}) as { field?: string; direction?: string }
  const key = [field, direction, ...names].join()
  const known = queries.get(list) ?? new Map<string, PlannedList['run']>()
  queries.set(list, known)
  const run =
    known.get(key) ?? finding(list, direction) ?? compile(list, names, orderSql(list, field, direction))
  known.set(key, run)
  return { run, values }
}

/** One query per order and set of filters of a list, about 900 in all. */
const queries = new WeakMap<List, Map<string, PlannedList['run']>>()

/** Undefined unless the list finds its ids itself. */
function finding({ find }: List, direction: string | undefined): PlannedList['run'] | undefined {
  if (find === undefined) return undefined
  return async (read, { parents, viewer, limit, offset }) => {
    const wanted = { viewer: Number(viewer), limit: Number(limit), offset: Number(offset) }
    const found: FoundIds[] = []
    for (const parent of JSON.parse(String(parents)) as readonly number[]) {
      const ids = await find(read, { ...wanted, parent, descends: direction === 'DESC' })
      found.push({ parent, ids: JSON.stringify(ids) })
    }
    return found
  }
}

function compile(list: List, names: readonly string[], order: RawBuilder<unknown>): PlannedList['run'] {
  const parent = sql.ref<number>('parents.value')
  return preparedSql((slot) => {
    const viewer = slot('viewer') as RawBuilder<number>
    const conditions = [
      ...(list.parent === undefined ? [] : [sql`${list.parent} = ${parent}`]),
      ...(list.where === undefined ? [] : [list.where(viewer)]),
      ...names.flatMap((name) => list.filters?.[name]?.where(slot(name) as never) ?? []),
    ]
    const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
    return sql`select parents.value as parent, (
      select json_group_array(id) from (
        select ${list.id} as id from ${list.from} ${where} ${order} limit ${slot('limit')} offset ${slot('offset')})
      ) as ids from json_each(${slot('parents')}) as parents`
  })
}

function orderSql(list: List, field: string | undefined, direction: string | undefined): RawBuilder<unknown> {
  const ties = list.ties ?? list.id
  const order: Order | undefined = field === undefined ? list.order : list.orders?.[field]
  if (order === undefined) return sql`order by ${ties}`
  const descends = direction === 'DESC' ? sql` desc` : sql``
  const nulls = order.nullsLast ? sql`${order.by} is null, ` : sql``
  return sql`order by ${nulls}${order.by}${descends}, ${ties}`
}

const parentsAtFirst = 25
const parentsAtOnce = 100

const valuesIn = (args: Args): number =>
  Object.values(args).reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 0), 0)
