import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { Failure } from '../lib/failure'

/** Held while a process has the data directory to itself. */
export interface Lock {
  release(): void
}

/**
 * Takes the data directory's lock: a SQLite lock on a file of its own, which the operating system frees with the
 * process however it ends. Throws a `busy` failure where another process holds it.
 */
export const takeLock = (directory: string): Lock =>
  takeLockFile(join(directory, 'kiroku.lock'), `another kiroku is running on the data directory ${directory}`)

/**
 * The same for changes of the catalogue that take several transactions, of which one runs at a time. Waits for another
 * one to end, and throws a `busy` failure where that takes longer than `patienceMs`.
 */
export async function takeCatalogueLock(directory: string, patienceMs: number): Promise<Lock> {
  const end = Date.now() + patienceMs
  const whenHeld = `another import into ${directory} is under way: try again when it is done`
  for (;;) {
    try {
      return takeLockFile(join(directory, 'catalogue.lock'), whenHeld)
    } catch (cause) {
      if (!(cause instanceof Failure) || Date.now() >= end) throw cause
      await Bun.sleep(50)
    }
  }
}

function takeLockFile(path: string, whenHeld: string): Lock {
  const handle = new Database(path, { create: true, readwrite: true })
  try {
    handle.run('pragma busy_timeout = 0')
    handle.run('begin exclusive')
  } catch {
    handle.close()
    throw new Failure('busy', whenHeld)
  }
  held.add(handle)
  return {
    release: () => {
      held.delete(handle)
      handle.close()
    },
  }
}

// A handle nobody refers to is collected, and its lock with it.
const held = new Set<Database>()
