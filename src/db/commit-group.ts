import type { Database } from 'bun:sqlite'
import { kyselyInTransactions } from './dialect'
import type { DB } from './schema'
import type { StorageFault } from './storage-fault'
import type { Queued } from './write-queue'

/** The transactions of the writer, one for a group of writes. */
export interface Groups {
  /** Begins a transaction without waiting for another process'. Throws what SQLite throws. */
  begin(): void
  /** Runs the writes in the transaction, commits it and tells each how it went. Never throws. */
  commit(group: readonly Queued[]): Promise<void>
  /** To be called before the handle is closed. */
  release(): Promise<void>
}

/** `findFault` is asked before each commit; what it returns makes the whole group fail. */
export function createGroups(handle: Database, findFault: () => StorageFault | undefined): Groups {
  const { tx, hasBegun, endedBy } = kyselyInTransactions<DB>(handle)
  const sql = (text: string) => handle.query(text)
  let isLeftOpen = false
  /** Runs one write in its savepoint; returns how to tell its caller once the group is committed. */
  const attempt = async (member: Queued): Promise<() => void> => {
    sql('savepoint member').run()
    try {
      const result = await member.change(tx)
      sql('release member').run()
      return () => member.done(result)
    } catch (cause) {
      // SQLite has undone the whole group, as it does when the disk is full.
      if (!handle.inTransaction) throw cause
      sql('rollback to member').run()
      sql('release member').run()
      return () => member.failed(cause)
    }
  }
  /** A group of one needs no savepoint: what undoes the transaction undoes the write. */
  const attemptAlone = async (member: Queued): Promise<() => void> => {
    const result = await member.change(tx)
    return () => member.done(result)
  }
  const commitAll = async (group: readonly Queued[]): Promise<(() => void)[]> => {
    const settle: (() => void)[] = []
    for (const member of group) settle.push(await (group.length === 1 ? attemptAlone : attempt)(member))
    const fault = findFault()
    if (fault !== undefined) throw fault
    handle.run('commit')
    return settle
  }
  const rollBack = () => {
    try {
      if (handle.inTransaction) handle.run('rollback')
      isLeftOpen = false
    } catch {
      isLeftOpen = true
    }
  }
  return {
    begin: () => {
      if (isLeftOpen && handle.inTransaction) handle.run('rollback')
      isLeftOpen = false
      handle.run('pragma busy_timeout = 0')
      handle.run('begin immediate')
      hasBegun()
    },
    release: () => tx.destroy(),
    commit: async (group) => {
      try {
        for (const tell of await commitAll(group)) tell()
      } catch (cause) {
        rollBack()
        for (const member of group) member.failed(endedBy() ?? cause)
      }
    },
  }
}
