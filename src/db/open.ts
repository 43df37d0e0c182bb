import { Database } from 'bun:sqlite'
import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../lib/failure'
import { kyselyOn } from './dialect'
import { fileFailure, refuseUnusable } from './file-failure'
import { Generations } from './generations/generations'
import { ofStore, type TrackedRead, trackReads } from './generations/tracked-read'
import type { Sight } from './guard/views'
import { checkpoint } from './health/checkpoint'
import { CommitTicks, tickClock } from './health/commit-ticks'
import { readHighWater } from './health/high-water'
import { refuseForeignLink } from './health/owner'
import { Room } from './health/room'
import { WallClock } from './health/wall-clock'
import { watchOpenedFiles } from './opened-files'
import { asRead, openGuardedReader, openReader, type Read } from './reader'
import type { DB } from './schema'
import { type Storage, storageOf } from './storage'
import { createWriter, type Write, type WriterOptions } from './write'

export type { Read } from './reader'

/** How the database is read. What people wrote is guarded (D72): only `readBare`, `warmRead` and `readBeside` see all of it. */
export interface Reads {
  /** Shared rows only: lists of several people's rows, and figures about everybody (D73). */
  readonly read: Read
  /** What this person may see; 0 is a visitor. */
  readAs(viewer: number): Read
  /** The same without those whom they muted, for pages of several people. */
  crowdAs(viewer: number): Read
  /** Everything. `scripts/layers.ts` says who may use it. */
  readonly readBare: Read
  /** Everything, on the writer's connection, whose page cache survives its commits. Never sees an open transaction. */
  warmRead(): Read
  /** Everything, on a separate connection with a page cache of 2 MB, for work that would crowd the other caches. */
  readBeside<T>(use: (read: Read) => Promise<T>): Promise<T>
  /**
   * As `read` or `readAs`, collecting which tables are read, for what is kept until a commit touches one of them. Of shared
   * rows, somebody with a block does not see the other side's (D78): for all others, `viewer` is 0.
   */
  trackedRead(sight: Sight, viewer: number): TrackedRead
}

export interface Store extends Reads {
  readonly write: Write
  readonly generations: Generations
  /** Gives back the memory of page caches and prepared statements that is not in use. */
  shrink(): void
  readonly storage: Storage
  readonly wallClock: WallClock
  /** The writer's connection, for migrations and imports. */
  readonly handle: Database
  close(): Promise<void>
}

export const readsOf = ({
  read,
  readAs,
  crowdAs,
  readBare,
  warmRead,
  readBeside,
  trackedRead,
}: Reads): Reads => ({ read, readAs, crowdAs, readBare, warmRead, readBeside, trackedRead })

export const databasePath = (directory: string) => join(directory, 'kiroku.db')

/** Accessible only to the owner (0700). Throws a `config` failure, or `io` for a full or broken disk. */
export function prepareDirectory(directory: string): void {
  process.umask(0o077)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const kind = /^(?:ENOSPC|EDQUOT|EIO)\b/.test(why) ? 'io' : 'config'
    throw new Failure(kind, `cannot use the data directory ${directory}: ${why}`)
  }
  refuseForeignLink(directory)
}

export function openHandle(directory: string): Database {
  const path = databasePath(directory)
  refuseUnusable(path, 'write')
  try {
    const handle = new Database(path, { create: true, readwrite: true })
    for (const pragma of writerPragmas) handle.run(`pragma ${pragma}`)
    return handle
  } catch (cause) {
    throw fileFailure(path, cause)
  }
}

/** The database must already be migrated (`src/db/migrate.ts`). */
export function openStore(directory: string, handle: Database, options: WriterOptions = {}): Store {
  const path = databasePath(directory)
  const { generations = new Generations(handle) } = options
  const readers = openReaders(path, generations, options)
  const warmReading = kyselyOn<DB>(handle, options.queries)
  const warm = ofStore(asRead(warmReading), readers.reads.read)
  const findMoved = watchOpenedFiles(path)
  const room = new Room(directory)
  const last = readHighWater(directory)?.at
  const wallClock = new WallClock(last === undefined ? undefined : Date.parse(last))
  const ticks = new CommitTicks(directory, handle, () => writer.write(async () => {}), tickClock(wallClock))
  const writer = createWriter(handle, {
    findFault: findMoved,
    findRefusal: () => room.recentFault(),
    onFull: () => room.dropBallast(),
    beforeCommit: () => ticks.beforeCommit(),
    afterCommit: () => ticks.afterCommit(),
    ...options,
    generations,
  })
  return {
    ...readers.reads,
    warmRead: () => (handle.inTransaction ? readers.reads.readBare : warm),
    readBeside: async (use) => {
      const beside = openReader(path, 2000, options.queries)
      return await use(beside.read).finally(beside.close)
    },
    write: writer.write,
    generations,
    shrink: () => shrinkMemory(...readers.handles, handle),
    storage: storageOf(path, { handle, room, findMoved, writer }),
    wallClock,
    handle,
    close: async () => {
      await writer.close()
      await warmReading.destroy()
      // SQLite would copy the log into a damaged file; left alone, everything committed can still be found.
      if (writer.queue.refusal !== undefined) return ticks.stop()
      await readers.close()
      handle.run('pragma busy_timeout = 0')
      if (findMoved() === undefined) await finish(handle, ticks)
      ticks.stop()
      handle.close()
    },
  }
}

/** One connection for each way of reading: which rows its tables show is part of a connection. */
function openReaders(path: string, generations: Generations, { queries }: WriterOptions) {
  const shared = openGuardedReader(path, { cacheKiB: 8000, sight: 'shared' }, queries)
  const seen = openGuardedReader(path, { cacheKiB: 4000, sight: 'seen' }, queries)
  const bare = openReader(path, 4000, queries)
  const store = shared.read
  const track = {
    shared: trackReads(shared, { store, sight: 'shared', generations }),
    seen: trackReads(seen, { store, sight: 'seen', generations }),
  }
  const reads: Omit<Reads, 'warmRead' | 'readBeside'> = {
    read: store,
    readAs: (id) => ofStore(seen.readAs({ id, isCrowd: false }), store),
    crowdAs: (id) => ofStore(seen.readAs({ id, isCrowd: true }), store),
    readBare: ofStore(bare.read, store),
    trackedRead: (sight, id) => track[sight]({ id, isCrowd: false }),
  }
  const all = [shared, seen, bare]
  return {
    reads,
    handles: all.map(({ handle }) => handle),
    close: async () => {
      for (const reader of all) await reader.close()
    },
  }
}

function shrinkMemory(...connections: readonly Database[]): void {
  for (const connection of connections) connection.run('pragma shrink_memory')
}

/** If another process is using the database, that one will checkpoint it. */
async function finish(handle: Database, ticks: CommitTicks): Promise<void> {
  try {
    await ticks.finish()
    ticks.writeLast({ isCheckpointed: checkpoint(handle) })
  } catch {
    // The disk is full, but everything committed is in the log.
  }
}

export function hasDatabase(directory: string): boolean {
  const path = databasePath(directory)
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    throw fileFailure(path, cause)
  }
}

// busy_timeout comes first, as journal_mode has to wait for a busy database.
const writerPragmas = [
  'busy_timeout = 5000',
  'journal_mode = wal',
  'synchronous = full',
  // In pages, four times the default: a page that several writes change is copied into the database once.
  'wal_autocheckpoint = 4000',
  'foreign_keys = on',
  'trusted_schema = off',
  'cell_size_check = on',
  'temp_store = memory',
  'cache_size = -8000',
  'mmap_size = 0',
  'journal_size_limit = 67108864',
  'secure_delete = on',
]
