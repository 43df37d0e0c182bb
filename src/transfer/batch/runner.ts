import { storageFault } from '../../db/storage-fault'
import { stackOf } from '../../log/stack'
import type { ImportDeps } from './list-import'

/** Applies, undoes or deletes an import. Ends early once `isStopping`. */
export type LongWork = (id: number, isStopping: () => boolean) => Promise<void>

interface Job {
  isWaiting: boolean
  ended: Promise<void>
}

/** Limits how much work runs at a time, with one task per user. */
export class Slots {
  readonly #busy = new Set<number>()
  #waiting: { readonly userId: number; readonly begin: () => void }[] = []

  constructor(private readonly most: number) {}

  async run<T>(userId: number, work: () => Promise<T>): Promise<T> {
    if (this.#isFull(userId))
      await new Promise<void>((begin) => {
        this.#waiting.push({ userId, begin })
      })
    else this.#busy.add(userId)
    try {
      return await work()
    } finally {
      this.#busy.delete(userId)
      this.#next()
    }
  }

  #isFull(userId: number): boolean {
    return this.#busy.size >= this.most || this.#busy.has(userId)
  }

  #next(): void {
    const next = this.#waiting.find(({ userId }) => !this.#isFull(userId))
    if (next === undefined) return
    this.#waiting = this.#waiting.filter((one) => one !== next)
    this.#busy.add(next.userId)
    next.begin()
  }
}

/** Runs long work in the background: one import per user, two in all, at a time. */
export class Runner {
  readonly #slots = new Slots(2)
  readonly #jobs = new Map<number, Job>()
  readonly #again = new Set<number>()
  #isStopping = false

  constructor(
    private readonly deps: ImportDeps,
    private readonly work: LongWork,
  ) {}

  /** A running import checks again for more to do before it ends. */
  start(id: number, userId: number): void {
    this.#again.add(id)
    if (this.#jobs.has(id) || this.#isStopping) return
    const job: Job = { isWaiting: true, ended: Promise.resolve() }
    this.#jobs.set(id, job)
    job.ended = this.#slots.run(userId, async () => {
      job.isWaiting = false
      while (this.#again.delete(id)) await this.#run(id)
      this.#jobs.delete(id)
    })
  }

  isWaiting = (id: number): boolean => this.#jobs.get(id)?.isWaiting ?? false

  isStopping = (): boolean => this.#isStopping

  async settled(id: number): Promise<void> {
    await this.#jobs.get(id)?.ended
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all([...this.#jobs.values()].map(({ ended }) => ended))
  }

  /** Never rejects. */
  async #run(id: number): Promise<void> {
    while (!this.#isStopping) {
      try {
        return await this.work(id, this.isStopping)
      } catch (cause) {
        if (!mayPass(cause)) return await this.#fail(id, cause)
        this.deps.log?.('list_waits', { import: id, why: String(cause) })
        await this.#pause()
      }
    }
  }

  async #pause(): Promise<void> {
    for (let waited = 0; waited < pauseMs && !this.#isStopping; waited += 100) await Bun.sleep(100)
  }

  async #fail(id: number, cause: unknown): Promise<void> {
    const why = cause instanceof Error ? stackOf(cause) : String(cause)
    this.deps.log?.('list_failed', { import: id, why })
    const failed = { state: 'failed', error: cause instanceof Error ? cause.message : String(cause) }
    await this.deps
      .write((tx) =>
        tx
          .updateTable('list_imports')
          .set(failed)
          .where('id', '=', id)
          .where('state', 'in', ['applying', 'undoing'])
          .execute(),
      )
      // The next start will try again.
      .catch(() => {})
  }
}

const pauseMs = 5000

/** A full disk or a busy database will recover. */
function mayPass(cause: unknown): boolean {
  const problem = storageFault(cause)?.problem
  return problem === 'disk_full' || problem === 'busy'
}
