import type { Read } from '../../db/open'
import type { Args, ConnectionField, Page } from '../declare/field'
import type { Budget } from './budget'
import { type PlannedList, planList } from './list-query'
import { pageOf, type Range, rangeOf } from './page'
import { Pieces } from './pieces'
import type { Rows } from './rows'

interface Wanted extends PromiseWithResolvers<Page> {
  /** How many times the answer contains the page. */
  uses: number
}

interface Batch {
  readonly parents: Map<number, Wanted>
  readonly range: Range
  readonly plan: PlannedList
}

/** The lists of one request. The same list of several rows, requested in one turn, is read by a single query. */
export class Lists {
  readonly #waiting = new Map<ConnectionField, Map<string, Batch>>()

  constructor(
    private readonly read: Read,
    private readonly viewer: number,
    private readonly budget: Budget,
    private readonly rows: Rows,
  ) {}

  load(field: ConnectionField, parent: number, args: Args): Promise<Page> {
    this.budget.takeSent(valuesIn(args))
    const batches = this.#waiting.get(field) ?? new Map<string, Batch>()
    this.#waiting.set(field, batches)
    const key = JSON.stringify(args)
    const batch = batches.get(key) ?? this.#startBatch(field, args, batches, key)
    const page = batch.parents.get(parent) ?? { ...Promise.withResolvers<Page>(), uses: 0 }
    page.uses += 1
    batch.parents.set(parent, page)
    return page.promise
  }

  #startBatch({ list }: ConnectionField, args: Args, batches: Map<string, Batch>, key: string): Batch {
    const batch = { parents: new Map(), range: rangeOf(args), plan: planList(list, args) }
    batches.set(key, batch)
    const task = () => {
      batches.delete(key)
      return this.#readBatch(list.of, batch)
    }
    // A list on Query has a single parent, so there is nothing to wait for.
    if (list.parent === undefined) void this.budget.readNow(task).catch(() => {})
    else this.budget.read(task)
    return batch
  }

  async #readBatch(type: string, batch: Batch): Promise<void> {
    const parents = [...batch.parents.keys()]
    const pieces = new Pieces(parentsAtFirst, parentsAtOnce)
    try {
      for (let from = 0; from < parents.length; ) {
        const some = parents.slice(from, from + pieces.size)
        await this.budget.pause()
        await pieces.run(() => this.#readPiece(type, batch, some))
        from += some.length
      }
    } catch (cause) {
      // An aborted execution waits for none of them, and creating 36,000 errors would take 0.3 s.
      if (this.budget.failure !== undefined) return
      for (const page of batch.parents.values()) page.reject(cause)
    }
  }

  async #readPiece(type: string, { parents, range, plan }: Batch, some: readonly number[]): Promise<void> {
    const { offset } = range
    const bound = { parents: JSON.stringify(some), viewer: this.viewer, limit: this.#limitOf(range), offset }
    const found = await plan.run(this.read, { ...plan.values, ...bound })
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

const parentsAtFirst = 25
const parentsAtOnce = 100

const valuesIn = (args: Args): number =>
  Object.values(args).reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 0), 0)
