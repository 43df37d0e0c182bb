import type { Kysely } from 'kysely'
import { forThisRequest } from '../lib/current-request'
import type { DB } from './schema'
import { type StorageFault, storageFault } from './storage-fault'

/** The tables on the writer's connection, inside a savepoint. */
export type Tx = Omit<Kysely<DB>, 'transaction' | 'startTransaction' | 'connection' | 'destroy'>

export interface QueuedWrite {
  change(tx: Tx): Promise<unknown>
  done(result: unknown): void
  failed(cause: unknown): void
  /** `performance.now()`. */
  readonly queuedAt: number
}

/** `at`: `performance.now()`. */
export interface WriteFault {
  readonly fault: StorageFault
  readonly at: number
}

export class WriteQueue {
  lastFault: WriteFault | undefined
  readonly #patienceMs: number
  readonly #findRefusal: () => StorageFault | undefined
  #waiting: QueuedWrite[] = []
  #refusal: StorageFault | undefined
  #mayWait = true

  constructor(patienceMs: number, findRefusal: () => StorageFault | undefined) {
    this.#patienceMs = patienceMs
    this.#findRefusal = findRefusal
  }

  /** Why no more writes are accepted. */
  get refusal(): StorageFault | undefined {
    return this.#refusal
  }

  get size(): number {
    return this.#waiting.length
  }

  add<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const failed = (cause: unknown) => {
        this.#note(cause)
        reject(cause)
      }
      const refusal = this.#refusal ?? this.#findRefusal()
      if (refusal !== undefined) return failed(refusal)
      this.#waiting.push({
        change: forThisRequest(change),
        done: (result) => resolve(result as T),
        failed,
        queuedAt: performance.now(),
      })
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

  /** All writes have the same patience, so the expired ones are the oldest. */
  rejectLate(cause: unknown): void {
    const late = performance.now() - this.#patienceMs
    const first = this.#mayWait ? this.#waiting.findIndex(({ queuedAt }) => queuedAt > late) : -1
    const expired = this.#waiting.splice(0, first < 0 ? this.size : first)
    for (const { failed } of expired) failed(cause)
  }

  refuse(fault: StorageFault): void {
    this.#refusal ??= fault
    this.rejectAll(fault)
  }

  stopWaiting(): void {
    this.#mayWait = false
  }

  #note(cause: unknown): void {
    const fault = storageFault(cause)
    if (fault !== undefined) this.lastFault = { fault, at: performance.now() }
    // Each further write makes damage worse.
    if (fault?.problem === 'damaged') this.refuse(fault)
  }
}
