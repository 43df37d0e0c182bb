import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Lock, takeLock } from '../../db/lock'
import { prepareDirectory } from '../../db/open'
import { Failure } from '../../lib/failure'
import type { Destination } from '../destination'
import { isEncrypted, snapshotTime, timeOf } from '../names'
import { withWorkPlace } from '../work-place'
import { type Built, buildInstance } from './build'
import { buildPlace, type Finished, finishRestore, removePartialRestore, replaceInstance } from './replace'

export interface Restored extends Built, Finished {}

/**
 * Replaces the instance in a data directory by a backup: `source` is a path or a name in the destination.
 * Throws, changing nothing, `busy` while a server runs, `noInput` if there is no such backup, `data` if it is
 * damaged or newer.
 */
export async function restoreBackup(
  data: string,
  destination: Destination,
  source: string,
  now: () => number,
): Promise<Restored> {
  return await whileStopped(data, async () => {
    finishRestore(data)
    return await withWorkPlace(data, async (work) => {
      const file = await fetchSource(destination, source, work).catch((cause) => {
        throw cause instanceof Failure && cause.kind === 'data' ? named(source, cause) : cause
      })
      const built = await buildInstance(data, file, buildPlace(data)).catch((cause) => {
        removePartialRestore(data)
        throw named(source, cause)
      })
      return { ...built, ...replaceInstance(data, now()) }
    })
  })
}

/** Undefined if no restore is unfinished. Throws a `busy` failure. */
export const finishInterrupted = (data: string): Promise<Finished | undefined> =>
  whileStopped(data, async () => finishRestore(data))

async function whileStopped<T>(data: string, use: () => Promise<T>): Promise<T> {
  prepareDirectory(data)
  const lock = lockStopped(data)
  try {
    removePartialRestore(data)
    return await use()
  } finally {
    lock.release()
  }
}

function lockStopped(data: string): Lock {
  try {
    return takeLock(data)
  } catch (cause) {
    if (!(cause instanceof Failure) || cause.kind !== 'busy') throw cause
    throw new Failure('busy', `${cause.message}: stop the server, then run this again`)
  }
}

async function fetchSource(destination: Destination, source: string, work: string): Promise<string> {
  const isName = timeOf(source) !== undefined || snapshotTime(source) !== undefined
  const found = statSync(source, { throwIfNoEntry: false })
  const isFile = found?.isFile() === true
  if (found?.isDirectory())
    throw new Failure('noInput', `${source} is a directory: name the backup in it, or the database kiroku.db`)
  if (isFile && !isEncrypted(source)) return source
  if (!isName && !isFile)
    throw new Failure('noInput', `there is no file ${source}; kiroku backup list shows the backups`)
  const file = join(work, basename(source))
  await destination.get(basename(source), file)
  return file
}

const named = (source: string, cause: unknown) =>
  cause instanceof Failure ? new Failure(cause.kind, `${source} is not restored: ${cause.message}`) : cause
