import type { Database } from 'bun:sqlite'
import type { Kysely } from 'kysely'
import type { DB } from './schema'

/** What a write may use: the tables, on the writer's connection, inside its own savepoint. */
export type Tx = Omit<Kysely<DB>, 'transaction' | 'startTransaction' | 'connection' | 'destroy'>

/**
 * Runs `change` in the single writer and resolves once what it did is on disk (D43). Everything queued at that moment
 * shares one transaction and one flush; a change that throws is undone alone and rejects alone.
 * `change` must await nothing but its own queries. Rejects with `WriterBusy` when another process holds the
 * database for longer than `patienceMs`.
 */
export type Write = <T>(change: (tx: Tx) => Promise<T>) => Promise<T>

/** Another process kept the database to itself for too long; the write did not happen and may be tried again. */
export class WriterBusy extends Error {}

const patienceMs = 30_000

interface Queued {
  change(tx: Tx): Promise<unknown>
  done(result: unknown): void
  failed(cause: unknown): void
}

/** The one writer of a process, on a handle that is its own; `drain` resolves once what is queued is done. */
export function createWriter(handle: Database, tx: Kysely<DB>) {
  let queue: Queued[] = []
  let running: Promise<void> | undefined

  const run = async () => {
    while (queue.length > 0) {
      await untilHeard(() => queue.length)
      const group = queue
      queue = []
      await commitTogether(handle, tx, group)
    }
    running = undefined
  }

  const write: Write = <T>(change: (tx: Tx) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      queue.push({ change, done: (result) => resolve(result as T), failed: reject })
      running ??= run()
    })

  return { write, drain: async () => running }
}

/**
 * Lets every request that has arrived be heard before a group begins: each is heard in a turn of its own, and its write
 * would otherwise be alone in its group. Those whose answers have just gone out ask again a little later than the first
 * of them, so as long as a turn brings more, another may; while a group is flushed the next one arrives.
 */
async function untilHeard(waiting: () => number): Promise<void> {
  for (let turn = 1; turn <= mostTurns; turn++) {
    const before = waiting()
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (waiting() === before) return
  }
}

/** With three of them, 64 connections come together in nearly every group; with one, two thirds of them. */
const mostTurns = 3

async function commitTogether(handle: Database, tx: Kysely<DB>, group: Queued[]): Promise<void> {
  const settle: (() => void)[] = []
  try {
    await begin(handle)
    for (const member of group) settle.push(await attempt(handle, tx, member))
    handle.run('commit')
  } catch (cause) {
    if (handle.inTransaction) handle.run('rollback')
    for (const member of group) member.failed(cause)
    return
  }
  for (const tell of settle) tell()
}

/** Runs one member in its savepoint; returns how to tell its caller once the group is committed. */
async function attempt(handle: Database, tx: Kysely<DB>, member: Queued): Promise<() => void> {
  // Kept prepared, unlike what `run` is given: twice per write that is an eighth of what SQLite takes for a record.
  handle.query('savepoint member').run()
  try {
    const result = await member.change(tx)
    handle.query('release member').run()
    return () => member.done(result)
  } catch (cause) {
    handle.query('rollback to member').run()
    handle.query('release member').run()
    return () => member.failed(cause)
  }
}

/**
 * Waits for another process' transaction without holding up this one's reads; asks often enough to find the rests
 * between the pieces of a long import (`in-pieces.ts`).
 */
async function begin(handle: Database): Promise<void> {
  const patience = performance.now() + patienceMs
  handle.run('pragma busy_timeout = 0')
  for (let pause = 1; ; pause = Math.min(pause * 2, 8)) {
    try {
      handle.run('begin immediate')
      return
    } catch (cause) {
      if (!isBusy(cause)) throw cause
      if (performance.now() > patience) throw new WriterBusy('the database is busy')
      await Bun.sleep(pause)
    }
  }
}

const isBusy = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && String(cause.code).startsWith('SQLITE_BUSY')
