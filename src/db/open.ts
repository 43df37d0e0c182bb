import { Database } from 'bun:sqlite'
import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ReadonlyKysely } from 'kysely/readonly'
import { Failure } from '../lib/failure'
import { kyselyOn } from './dialect'
import { fileFailure, refuseUnusable } from './file-failure'
import { watchOpenedFiles } from './opened-files'
import type { DB } from './schema'
import { type Storage, storageOf } from './storage'
import { createWriter, type Write, type WriterOptions } from './write'

/** What a read may use: the tables, on a connection that cannot write. */
export type Read = ReadonlyKysely<DB>

/** An open data directory: reads on one connection, writes through the one writer on another. */
export interface Store {
  readonly read: Read
  /**
   * `read` for small queries after a commit: on the writer's own connection, which still has the pages in its cache, where
   * the reader drops all of its at each commit. Never sees an open transaction: while there is one, it is `read` itself.
   */
  warmRead(): Read
  readonly write: Write
  /** A number that changes with every commit, by this process or another. Costs about 2 µs. */
  version(): number
  readonly storage: Storage
  /** The writer's own connection, for work that is neither a request's read nor its write: migrations and imports. */
  readonly handle: Database
  /** Waits for queued writes, checkpoints the log and closes both connections. */
  close(): Promise<void>
}

/** Where the database lies in a data directory. */
export const databasePath = (directory: string) => join(directory, 'kiroku.db')

/** Makes the data directory if it is missing, for the owner's eyes only. Throws a `config` failure where it cannot. */
export function prepareDirectory(directory: string): void {
  process.umask(0o077)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const kind = /^(?:ENOSPC|EDQUOT|EIO)\b/.test(why) ? 'io' : 'config'
    throw new Failure(kind, `cannot use the data directory ${directory}: ${why}`)
  }
}

/** Opens the connection that may write, making the database file if it is missing. */
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

/** The store of a data directory whose database is migrated already (`src/db/migrate.ts`). */
export function openStore(directory: string, handle: Database, options: WriterOptions = {}): Store {
  const path = databasePath(directory)
  const reader = new Database(path, { readonly: true })
  for (const pragma of readerPragmas) reader.run(`pragma ${pragma}`)
  const dataVersion = reader.query('pragma data_version')
  const reading = kyselyOn<DB>(reader)
  const warmReading = kyselyOn<DB>(handle)
  const findMoved = watchOpenedFiles(path)
  const writer = createWriter(handle, { findFault: findMoved, ...options })
  return {
    read: reading as unknown as Read,
    warmRead: () => (handle.inTransaction ? reading : warmReading) as unknown as Read,
    write: writer.write,
    version: () => Number(dataVersion.values()[0]?.[0]),
    storage: storageOf(path, directory, findMoved, writer),
    handle,
    close: async () => {
      await writer.close()
      await warmReading.destroy()
      await reading.destroy()
      reader.close()
      // Whoever uses the database just now will do it; and files that lost their names are left as they are.
      handle.run('pragma busy_timeout = 0')
      if (findMoved() === undefined) handle.run('pragma wal_checkpoint(truncate)')
      handle.close()
    },
  }
}

/** Whether a database was made in this directory before. Throws a `config` failure where nobody can look. */
export function hasDatabase(directory: string): boolean {
  const path = databasePath(directory)
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    throw fileFailure(path, cause)
  }
}

// The order matters: a busy database must be waited for before the journal mode is asked for.
const writerPragmas = [
  'busy_timeout = 5000',
  'journal_mode = wal',
  'synchronous = full',
  // Pages. Four times SQLite's own: a page that several writes change is copied into the database once.
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

const readerPragmas = [
  'busy_timeout = 5000',
  'query_only = on',
  'trusted_schema = off',
  'cell_size_check = on',
  'temp_store = memory',
  'cache_size = -16000',
]
