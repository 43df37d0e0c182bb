import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { exitCodes, Failure } from '../lib/failure'
import { fileFailure } from './file-failure'

export interface Lock {
  release(): void
}

export const lockPath = (directory: string) => join(directory, 'kiroku.lock')

/** Throws a `busy` failure if another process holds the lock, which ends with that process. */
export const takeLock = (directory: string): Lock =>
  takeLockFile(lockPath(directory), `another kiroku is running on the data directory ${directory}`)

/** For work in `backups/` while a server may be running. Throws a `busy` failure. */
export const takeBackupLock = (directory: string): Lock =>
  takeLockFile(
    join(directory, 'backup.lock'),
    `another kiroku backup of ${directory} is running: try again when it has finished`,
  )

/** For querying catalogue sources, one process at a time. Throws a `busy` failure. */
export function takeSourcesLock(directory: string, patienceMs = 1000): Promise<Lock> {
  const whenHeld = `another kiroku catalogue update of ${directory} is running: try again when it has finished`
  // A server holds it briefly to find out whether a run was interrupted.
  return takePatiently(() => takeLockFile(join(directory, 'sources.lock'), whenHeld), patienceMs)
}

/** For catalogue changes that take several transactions. Throws a `busy` failure after `patienceMs`. */
export function takeCatalogueLock(directory: string, patienceMs: number): Promise<Lock> {
  const whenHeld = `another import into ${directory} is running: try again when it has finished`
  return takePatiently(() => takeLockFile(join(directory, 'catalogue.lock'), whenHeld), patienceMs)
}

/** Throws a `busy` failure after `patienceMs`; calls `onWait` once before it waits. */
export async function takePatiently(take: () => Lock, patienceMs: number, onWait = () => {}): Promise<Lock> {
  const end = performance.now() + patienceMs
  for (let tries = 0; ; tries++) {
    try {
      return take()
    } catch (cause) {
      const isHeld = cause instanceof Failure && cause.exitCode === exitCodes.busy
      if (!isHeld || performance.now() >= end) throw cause
      if (tries === 0) onWait()
      await Bun.sleep(50)
    }
  }
}

function takeLockFile(path: string, whenHeld: string): Lock {
  const handle = openLocked(path, whenHeld)
  openHandles.add(handle)
  return {
    release: () => {
      openHandles.delete(handle)
      handle.close()
    },
  }
}

function openLocked(path: string, whenHeld: string): Database {
  let handle: Database | undefined
  try {
    handle = new Database(path, { create: true, readwrite: true })
    handle.run('pragma busy_timeout = 0')
    handle.run('begin exclusive')
    return handle
  } catch (cause) {
    handle?.close()
    throw isHeld(cause) ? new Failure('busy', whenHeld) : fileFailure(path, cause)
  }
}

const isHeld = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && /^SQLITE_BUSY/.test(String(cause.code))

// Garbage collection of a handle would release its lock.
const openHandles = new Set<Database>()
