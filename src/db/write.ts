import type { Database } from 'bun:sqlite'
import { CommitGroups, type CommitHooks } from './commit-group'
import { Generations } from './generations/generations'
import { StorageFault, storageFault } from './storage-fault'
import type { GroupWatch, QueryWatch } from './watching'
import { type Tx, WriteQueue } from './write-queue'

export type { Tx } from './write-queue'

/**
 * Runs `change` in the single writer; resolves once it is on disk (D43). Group commit: writes queued together
 * share one transaction and one sync; one that throws is rolled back alone. `change` must only await its own
 * queries. Rejects with a `StorageFault`, SQLite's error, or `busy` after 30 s of another process's lock.
 */
export type Write = <T>(change: (tx: Tx) => Promise<T>) => Promise<T>

export interface Writer {
  readonly write: Write
  readonly queue: Pick<WriteQueue, 'lastFault' | 'refusal' | 'refuse' | 'stopWaiting' | 'size'>
  /** Resolves once the queue is empty; the handle may then be closed. */
  close(): Promise<void>
}

export interface WriterOptions extends Partial<CommitHooks> {
  readonly patienceMs?: number
  /** If it returns a fault, a write is refused before it is queued. */
  findRefusal?(): StorageFault | undefined
  readonly queries?: QueryWatch | undefined
  /** Those of `handle`, unless others are to be told of commits. */
  readonly generations?: Generations
  readonly onGroup?: GroupWatch | undefined
}

const noHooks: CommitHooks = {
  findFault: () => undefined,
  onFull: () => {},
  beforeCommit: () => {},
  afterCommit: () => {},
}

export function createWriter(handle: Database, options: WriterOptions = {}): Writer {
  const { patienceMs = 30_000, findRefusal = () => undefined, queries, onGroup } = options
  const { generations = new Generations(handle) } = options
  const queue = new WriteQueue(patienceMs, findRefusal)
  const groups = new CommitGroups(handle, { ...noHooks, ...options }, generations, queries)
  let running: Promise<void> | undefined
  let soloCount = 0
  const run = async () => {
    try {
      while (queue.size > 0) {
        if (soloCount < soloThreshold || soloCount % soloThreshold === 0)
          await waitForMoreWrites(() => queue.size)
        if (!(await beginTransaction(groups, queue))) continue
        const group = queue.takeAll()
        soloCount = group.length === 1 ? soloCount + 1 : 0
        const begun = onGroup && performance.now()
        const commitMs = await groups.commit(group)
        if (begun !== undefined && commitMs !== undefined)
          onGroup?.(
            group.map(({ queuedAt }) => begun - queuedAt),
            commitMs,
          )
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

/** False once every write has timed out. Back-off of 1 to 8 ms finds the pauses of an import (`in-pieces.ts`). */
async function beginTransaction(groups: CommitGroups, queue: WriteQueue): Promise<boolean> {
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

/** Waits while turns of the event loop bring in more writes, so that concurrent requests share a group commit. */
async function waitForMoreWrites(waiting: () => number): Promise<void> {
  for (let turn = 1; turn <= maxTurns; turn++) {
    const before = waiting()
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (waiting() === before) return
  }
}

/** After this many groups of one, only every eighth waits for others: waiting takes 3 to 5 % of a write's time. */
const soloThreshold = 8

/** With three turns, 64 connections share nearly every group; with one, two thirds of them. */
const maxTurns = 3
