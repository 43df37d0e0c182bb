import type { Database } from 'bun:sqlite'
import { CommitGroups } from './commit-group'
import { StorageFault, storageFault } from './storage-fault'
import { type Tx, WriteQueue } from './write-queue'

export type { Tx } from './write-queue'

/**
 * Runs `change` in the single writer and resolves once what it did is on disk (D43). Everything queued at that moment
 * shares one transaction and one flush; a change that throws is undone alone and rejects alone.
 * `change` must await nothing but its own queries. Rejects with a `StorageFault` or what SQLite threw where the storage
 * fails, and with `busy` when another process holds the database for 30 s from now.
 */
export type Write = <T>(change: (tx: Tx) => Promise<T>) => Promise<T>

/** The one writer of a process. */
export interface Writer {
  readonly write: Write
  /** The writes that wait for it. */
  readonly queue: Pick<WriteQueue, 'lastFault' | 'refuse' | 'stopWaiting'>
  /** Resolves once nothing is queued; the handle may be closed then. */
  close(): Promise<void>
}

export interface WriterOptions {
  /** How long a write waits for another process, from when it was queued. */
  readonly patienceMs?: number
  /** Asked before each commit; what it returns makes the whole group fail. */
  findFault?(): StorageFault | undefined
}

/** Makes the writer on a handle that is its own. */
export function createWriter(handle: Database, options: WriterOptions = {}): Writer {
  const { patienceMs = 30_000, findFault = () => undefined } = options
  const queue = new WriteQueue(patienceMs)
  const groups = new CommitGroups(handle, findFault)
  let running: Promise<void> | undefined
  /** How many groups of one there were since the last larger one. */
  let soloCount = 0
  const run = async () => {
    try {
      while (queue.size > 0) {
        if (soloCount < soloGroups || soloCount % soloGroups === 0) await waitForMoreWrites(() => queue.size)
        if (!(await hasBegun(groups, queue))) continue
        const group = queue.takeAll()
        soloCount = group.length === 1 ? soloCount + 1 : 0
        await groups.commit(group)
      }
    } finally {
      running = undefined
    }
  }
  const write: Write = (change) => {
    const written = queue.add(change)
    if (queue.size > 0) running ??= run()
    return written
  }
  const close = async () => {
    await running
    await groups.release()
  }
  return { write, queue, close }
}

/**
 * Begins a transaction for all who wait; false when nobody does any more. Waits for another process' transaction without
 * holding up this one's reads, and each write for its own patience alone; asks often enough to find the rests between the
 * pieces of a long import (`in-pieces.ts`).
 */
async function hasBegun(groups: CommitGroups, queue: WriteQueue): Promise<boolean> {
  for (let pause = 1; queue.size > 0; pause = Math.min(pause * 2, 8)) {
    try {
      groups.begin()
      return true
    } catch (cause) {
      if (storageFault(cause)?.problem !== 'busy') queue.rejectAll(cause)
      queue.rejectLate(new StorageFault('busy', 'another process keeps the database busy', { cause }))
      await Bun.sleep(pause)
    }
  }
  return false
}

/**
 * Lets every request that has arrived be heard before a group begins: each is heard in a turn of its own, and its write
 * would otherwise be alone in its group. Those whose answers have just gone out ask again a little later than the first
 * of them, so as long as a turn brings more, another may; while a group is flushed the next one arrives.
 */
async function waitForMoreWrites(waiting: () => number): Promise<void> {
  for (let turn = 1; turn <= maxTurns; turn++) {
    const before = waiting()
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (waiting() === before) return
  }
}

/**
 * After this many groups of one in a row somebody is writing alone, and waiting a turn of the event loop is 3 to 5 % of
 * such a write. From then on only every eighth group waits for company, which is enough to find it.
 */
const soloGroups = 8

/** With three of them, 64 connections come together in nearly every group; with one, two thirds of them. */
const maxTurns = 3
