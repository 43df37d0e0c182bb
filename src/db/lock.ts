import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { Failure } from '../lib/failure'
import { fileFailure } from './file-failure'

/** Held while a process has the data directory to itself. */
export interface Lock {
  release(): void
}

/**
 * Takes the data directory's lock: a SQLite lock on a file of its own, which the operating system frees with the
 * process however it ends. Throws a `busy` failure where another process holds it, and what `fileFailure` says where the
 * lock file cannot be used.
 */
export function takeLock(directory: string): Lock {
  const path = join(directory, 'kiroku.lock')
  const handle = openLocked(path, directory)
  held.add(handle)
  return {
    release: () => {
      held.delete(handle)
      handle.close()
    },
  }
}

function openLocked(path: string, directory: string): Database {
  let handle: Database | undefined
  try {
    handle = new Database(path, { create: true, readwrite: true })
    handle.run('pragma busy_timeout = 0')
    handle.run('begin exclusive')
    return handle
  } catch (cause) {
    handle?.close()
    throw isHeld(cause)
      ? new Failure('busy', `another kiroku is running on the data directory ${directory}`)
      : fileFailure(path, cause)
  }
}

const isHeld = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && /^SQLITE_BUSY/.test(String(cause.code))

// A handle nobody refers to is collected, and its lock with it.
const held = new Set<Database>()
