import type { Database } from 'bun:sqlite'
import { type InTransactions, kyselyInTransactions } from './dialect'
import type { Generations } from './generations/generations'
import { checkpoint } from './health/checkpoint'
import type { DB } from './schema'
import { type StorageFault, storageFault } from './storage-fault'
import type { QueryWatch } from './watching'
import type { QueuedWrite } from './write-queue'

/** If `findFault` returns a fault before a commit, the whole group fails; `beforeCommit` runs in its transaction. */
export interface CommitHooks {
  findFault(): StorageFault | undefined
  /** Called if the disk is full and even a checkpoint, which may free the space of the log, finds no room. */
  onFull(): void
  beforeCommit(): void
  afterCommit(): void
}

/** Group commit: runs a group of writes in one transaction. */
export class CommitGroups {
  readonly #handle: Database
  readonly #hooks: CommitHooks
  readonly #queries: InTransactions<DB>
  readonly #generations: Generations
  #isLeftOpen = false
  /** The `performance.now()` from which to try another checkpoint. */
  #makeRoomFrom = 0

  constructor(
    handle: Database,
    hooks: CommitHooks,
    generations: Generations,
    queries: QueryWatch | undefined,
  ) {
    this.#handle = handle
    this.#hooks = hooks
    this.#generations = generations
    this.#queries = kyselyInTransactions<DB>(handle, generations, queries)
  }

  /** Does not wait for another process. Throws SQLite's errors. */
  begin(): void {
    if (this.#isLeftOpen && this.#handle.inTransaction) this.#handle.run('rollback')
    this.#isLeftOpen = false
    this.#handle.run('pragma busy_timeout = 0')
    this.#handle.run('begin immediate')
    this.#queries.hasBegun()
    this.#generations.hasBegun()
  }

  /** Runs and commits the writes, then settles each. Returns the duration of the commit in milliseconds. Never throws. */
  async commit(group: readonly QueuedWrite[]): Promise<number | undefined> {
    try {
      const { settle, commitMs } = await this.#commitAll(group)
      for (const tell of settle) tell()
      return commitMs
    } catch (failure) {
      this.#rollBack()
      const cause = this.#queries.endedBy() ?? failure
      if (storageFault(cause)?.problem === 'disk_full') this.#makeRoom()
      for (const { failed } of group) failed(cause)
      return undefined
    }
  }

  async release(): Promise<void> {
    await this.#queries.tx.destroy()
  }

  async #commitAll(group: readonly QueuedWrite[]): Promise<{ settle: (() => void)[]; commitMs: number }> {
    const settle: (() => void)[] = []
    for (const member of group)
      settle.push(group.length === 1 ? await this.#attemptAlone(member) : await this.#attempt(member))
    const fault = this.#hooks.findFault()
    if (fault !== undefined) throw fault
    this.#hooks.beforeCommit()
    const begun = performance.now()
    this.#handle.run('commit')
    const commitMs = performance.now() - begun
    this.#generations.committed(this.#queries.touched())
    this.#hooks.afterCommit()
    return { settle, commitMs }
  }

  /** Runs one write in a savepoint; returns how to settle it after the commit. */
  async #attempt({ change, done, failed }: QueuedWrite): Promise<() => void> {
    // Prepared statements: `run`, twice per write, would compile for an eighth of the time that inserting a record takes.
    this.#handle.query('savepoint member').run()
    try {
      const result = await change(this.#queries.tx)
      this.#handle.query('release member').run()
      return () => done(result)
    } catch (cause) {
      // SQLite has rolled back the whole group, as it does when the disk is full.
      if (!this.#handle.inTransaction) throw cause
      this.#handle.query('rollback to member').run()
      this.#handle.query('release member').run()
      return () => failed(cause)
    }
  }

  /** A group of one needs no savepoint: rolling back the transaction undoes the write. */
  async #attemptAlone({ change, done }: QueuedWrite): Promise<() => void> {
    const result = await change(this.#queries.tx)
    return () => done(result)
  }

  #rollBack(): void {
    try {
      if (this.#handle.inTransaction) this.#handle.run('rollback')
    } catch {
      this.#isLeftOpen = true
    }
  }

  /** On a full disk, a checkpoint may free the space of the write-ahead log. */
  #makeRoom(): void {
    const now = performance.now()
    if (now < this.#makeRoomFrom || checkpoint(this.#handle)) return
    this.#hooks.onFull()
    if (!checkpoint(this.#handle)) this.#makeRoomFrom = now + 5000
  }
}
