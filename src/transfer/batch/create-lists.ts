import { notFound } from '../../http/errors'
import { collectGarbage } from '../../lib/collect-garbage'
import type { ImportOptions } from '../plan/planned-row'
import { beginAccepting, beginApplying, beginDeleting, beginPlanning, beginUndoing } from './begin'
import { countOwn, findOwn, listOwn, type StoredImport } from './import-store'
import { makeRoom } from './limits'
import type { ImportDeps, ListImport } from './list-import'
import type { ListFile, Lists, NewOptions, Page, RowDecision, RowsPage } from './lists'
import { presentImport } from './present-import'
import { restOf } from './rest'
import { resumeImports } from './resume'
import { chooseProbable } from './rows/choose-work'
import type { Rematch } from './rows/plan-rows'
import { findRow, findRows } from './rows/stored-row'
import { Runner, Slots } from './runner'

/** Starts nothing on its own. Code that reads files and plans rows is loaded on demand. */
export const createLists = (deps: ImportDeps): Lists => new StoredLists(deps)

class StoredLists implements Lists {
  readonly #runner: Runner
  /** Imports that this process is reading. */
  readonly #reading = new Set<number>()
  readonly #readers = new Slots(2)
  /** By import id: a user's changes to one preview are made one after another. */
  readonly #changes = new Slots(Number.POSITIVE_INFINITY)
  #hasResumed = false

  constructor(private readonly deps: ImportDeps) {
    this.#runner = new Runner(deps, async (id, isStopping) => {
      const { runImport } = await import('./run-import')
      await collecting(() => runImport(deps, id, isStopping))
    })
  }

  read(userId: number, file: ListFile, options: NewOptions): Promise<ListImport> {
    return this.#readers.run(userId, async () => {
      await makeRoom(this.deps, userId)
      const { readList } = await import('./read-list')
      const reading = this.#reading
      const id = await collecting(() => readList(this.deps, { userId, file, options, reading }))
      return await this.find(userId, id)
    })
  }

  async list(userId: number, page: Page) {
    const imports = await listOwn(this.deps.warmRead(), userId, page)
    const total = await countOwn(this.deps.warmRead(), userId)
    return { imports: await Promise.all(imports.map((one) => this.#present(one))), total }
  }

  async find(userId: number, id: number): Promise<ListImport> {
    return await this.#present(await this.#own(userId, id))
  }

  async rows(userId: number, id: number, page: RowsPage) {
    return await findRows(this.deps.warmRead(), await this.#own(userId, id), page)
  }

  async *rest(userId: number, id: number): AsyncGenerator<string> {
    yield* restOf(this.deps.read, await this.#own(userId, id))
  }

  setOptions(userId: number, id: number, options: Partial<ImportOptions>): Promise<ListImport> {
    return this.#changes.run(id, async () => {
      await this.deps.write((tx) => beginPlanning(tx, { userId, id, now: this.deps.now() }, options))
      await this.#plan(id)
      return await this.find(userId, id)
    })
  }

  decide(userId: number, id: number, number: number, decision: RowDecision) {
    return this.#changes.run(id, async () => {
      const { decideRow } = await import('./rows/decide')
      await decideRow(this.deps, { userId, id, number }, decision)
      const row = await findRow(this.deps.warmRead(), id, number)
      if (row === undefined) throw notFound('The row')
      return row
    })
  }

  apply(userId: number, id: number, { acceptsProbable }: { readonly acceptsProbable: boolean }) {
    const { write, now } = this.deps
    return this.#changes.run(id, async () => {
      const present = await this.find(userId, id)
      if (present.state === 'applied' || present.state === 'applying') return present
      if (acceptsProbable) {
        await write((tx) => beginAccepting(tx, { userId, id, now: now() }))
        await this.#plan(id, chooseProbable)
      }
      const hasWork = await write((tx) => beginApplying(tx, { userId, id, now: now() }))
      this.#runner.start(id, userId)
      if (!hasWork) await this.#runner.settled(id)
      return await this.find(userId, id)
    })
  }

  undo(userId: number, id: number): Promise<ListImport> {
    return this.#undo(userId, id)
  }

  cancel(userId: number, id: number): Promise<ListImport> {
    return this.#undo(userId, id, ['applying'])
  }

  remove(userId: number, id: number): Promise<void> {
    return this.#changes.run(id, async () => {
      await this.deps.write((tx) => beginDeleting(tx, { userId, id }))
      this.#runner.start(id, userId)
    })
  }

  settled(id: number): Promise<void> {
    return this.#runner.settled(id)
  }

  async resume(): Promise<void> {
    const start = (id: number, userId: number) => this.#runner.start(id, userId)
    await resumeImports(this.deps, { start, reading: this.#reading, isBeside: this.#hasResumed })
    this.#hasResumed = true
  }

  close(): Promise<void> {
    return this.#runner.stop()
  }

  #own(userId: number, id: number): Promise<StoredImport> {
    return findOwn(this.deps.warmRead(), userId, id)
  }

  #present(one: StoredImport): Promise<ListImport> {
    return presentImport(this.deps.warmRead(), one, this.#runner.isWaiting)
  }

  async #plan(id: number, rematch?: Rematch): Promise<void> {
    const { planRows } = await import('./rows/plan-rows')
    const { isStopping } = this.#runner
    await collecting(() => planRows(this.deps, id, { isStopping, ...(rematch && { rematch }) }))
  }

  async #undo(userId: number, id: number, from?: Parameters<typeof beginUndoing>[2]): Promise<ListImport> {
    const { write, now } = this.deps
    if (await write((tx) => beginUndoing(tx, { userId, id, now: now() }, from)))
      this.#runner.start(id, userId)
    return await this.find(userId, id)
  }
}

/**
 * Runs the garbage collector while `work` is running and the heap grows. On its own, JavaScriptCore lets the heap
 * grow by 40 MiB, of which 15 are in use. A collection takes 10 to 25 ms.
 */
async function collecting<T>(work: () => Promise<T>): Promise<T> {
  const timer = setInterval(createCollector(), lookMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

const lookMs = 10

/** Growth of the heap in bytes. With 8 MiB the process grows by some 15 MiB more. */
const growth = 3 * 1024 * 1024

function createCollector(): () => void {
  let collected = process.memoryUsage().heapTotal
  return () => {
    if (process.memoryUsage().heapTotal < collected + growth) return
    collectGarbage()
    collected = process.memoryUsage().heapTotal
  }
}
