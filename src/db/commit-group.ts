import type { Database } from 'bun:sqlite'
import { kyselyInTransactions } from './dialect'
import type { DB } from './schema'
import { type StorageFault, storageFault } from './storage-fault'
import type { QueuedWrite } from './write-queue'

/** The transactions of the writer on its handle, one for a group of writes. */
export class CommitGroups {
  readonly #handle: Database
  readonly #findFault: () => StorageFault | undefined
  readonly #queries: ReturnType<typeof kyselyInTransactions<DB>>
  #isLeftOpen = false
  /** By the steady clock. */
  #makeRoomFrom = 0

  /** `findFault` is asked before each commit; what it returns makes the whole group fail. */
  constructor(handle: Database, findFault: () => StorageFault | undefined) {
    this.#handle = handle
    this.#findFault = findFault
    this.#queries = kyselyInTransactions<DB>(handle)
  }

  /** Begins a transaction without waiting for another process'. Throws what SQLite throws. */
  begin(): void {
    if (this.#isLeftOpen && this.#handle.inTransaction) this.#handle.run('rollback')
    this.#isLeftOpen = false
    this.#handle.run('pragma busy_timeout = 0')
    this.#handle.run('begin immediate')
    this.#queries.hasBegun()
  }

  /** Runs the writes in the transaction, commits it and tells each how it went. Never throws. */
  async commit(group: readonly QueuedWrite[]): Promise<void> {
    try {
      for (const tell of await this.#commitAll(group)) tell()
    } catch (failure) {
      this.#rollBack()
      const cause = this.#queries.endedBy() ?? failure
      if (storageFault(cause)?.problem === 'disk_full') this.#makeRoom()
      for (const { failed } of group) failed(cause)
    }
  }

  /** To be called before the handle is closed. */
  async release(): Promise<void> {
    await this.#queries.tx.destroy()
  }

  async #commitAll(group: readonly QueuedWrite[]): Promise<(() => void)[]> {
    const settle: (() => void)[] = []
    for (const member of group)
      settle.push(group.length === 1 ? await this.#attemptAlone(member) : await this.#attempt(member))
    const fault = this.#findFault()
    if (fault !== undefined) throw fault
    this.#handle.run('commit')
    return settle
  }

  /** Runs one write in its savepoint; returns how to tell its caller once the group is committed. */
  async #attempt({ change, done, failed }: QueuedWrite): Promise<() => void> {
    // Kept prepared, unlike what `run` is given: twice per write that is an eighth of what SQLite takes for a record.
    this.#handle.query('savepoint member').run()
    try {
      const result = await change(this.#queries.tx)
      this.#handle.query('release member').run()
      return () => done(result)
    } catch (cause) {
      // SQLite has undone the whole group, as it does when the disk is full.
      if (!this.#handle.inTransaction) throw cause
      this.#handle.query('rollback to member').run()
      this.#handle.query('release member').run()
      return () => failed(cause)
    }
  }

  /** A group of one needs no savepoint: what undoes the transaction undoes the write. */
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

  /** The log may hold the last room there is, and much of it can go where the database is already. */
  #makeRoom(): void {
    const now = performance.now()
    if (now < this.#makeRoomFrom) return
    try {
      const [row] = this.#handle.query<{ busy: number }, []>('pragma wal_checkpoint(truncate)').all()
      if (row?.busy === 0) return
    } catch {
      // There is no room for that either.
    }
    this.#makeRoomFrom = now + 5000
  }
}
