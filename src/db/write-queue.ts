import type { Kysely } from 'kysely'
import type { DB } from './schema'
import { type StorageFault, storageFault } from './storage-fault'

/** What a write may use: the tables, on the writer's connection, inside its own savepoint. */
export type Tx = Omit<Kysely<DB>, 'transaction' | 'startTransaction' | 'connection' | 'destroy'>

/** A write that waits for its turn. */
export interface QueuedWrite {
  change(tx: Tx): Promise<unknown>
  done(result: unknown): void
  failed(cause: unknown): void
}

/** A storage fault that a write met, and when: in milliseconds of the steady clock, `performance.now()`. */
export interface WriteFault {
  readonly fault: StorageFault
  readonly at: number
}

/** The writes that wait, oldest first, and what became of those before. */
export class WriteQueue {
  /** The last storage fault a write met; undefined where there was none so far. */
  lastFault: WriteFault | undefined
  readonly #patienceMs: number
  #waiting: (QueuedWrite & { readonly deadline: number })[] = []
  #refusal: StorageFault | undefined
  #mayWait = true

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  get size(): number {
    return this.#waiting.length
  }

  /** Resolves and rejects as the write is done or fails. */
  add<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#refusal !== undefined) return reject(this.#refusal)
      const failed = (cause: unknown) => {
        this.#note(cause)
        reject(cause)
      }
      const deadline = performance.now() + this.#patienceMs
      this.#waiting.push({ change, done: (result) => resolve(result as T), failed, deadline })
    })
  }

  takeAll(): readonly QueuedWrite[] {
    const all = this.#waiting
    this.#waiting = []
    return all
  }

  rejectAll(cause: unknown): void {
    for (const { failed } of this.takeAll()) failed(cause)
  }

  /** Rejects those that may wait no longer. All have the same patience, so they are the oldest. */
  rejectLate(cause: unknown): void {
    const now = performance.now()
    const first = this.#mayWait ? this.#waiting.findIndex(({ deadline }) => deadline > now) : -1
    const late = this.#waiting.splice(0, first < 0 ? this.size : first)
    for (const { failed } of late) failed(cause)
  }

  /** Rejects every write that waits and every later one. */
  refuse(fault: StorageFault): void {
    this.#refusal ??= fault
    this.rejectAll(fault)
  }

  /** From now on no write waits for another process. */
  stopWaiting(): void {
    this.#mayWait = false
  }

  #note(cause: unknown): void {
    const fault = storageFault(cause)
    if (fault !== undefined) this.lastFault = { fault, at: performance.now() }
    // What is damaged gets worse with each write.
    if (fault?.problem === 'damaged') this.refuse(fault)
  }
}
