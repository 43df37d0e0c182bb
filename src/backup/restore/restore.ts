import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Lock, takeLock } from '../../db/lock'
import { prepareDirectory } from '../../db/open'
import { Failure } from '../../lib/failure'
import { syncFile } from '../../lib/sync-file'
import { readArchive } from '../archive/read-archive'
import { type CopyContents, copyDatabase, finishCopy, UnsoundCopy } from '../database-copy'
import type { Destination } from '../destination'
import { imagesIn, linkImages } from '../images'
import { isEncrypted, snapshotTime, timeOf } from '../names'
import { refuseWithoutRoom, watchRoom } from '../room'
import { refuseOther } from '../verify'
import { withWorkPlace } from '../work-place'
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

/** What was restored. `began_at`: when the backup began, in ISO 8601; unknown for a copy of the database. */
interface Built {
  readonly began_at: string | null
  readonly contents: CopyContents
}

/**
 * Builds an instance in `into` from a backup, or from a copy of the database and the images of `data`.
 * Checked and synced. Throws a `data` failure for a file that is damaged, or from a newer kiroku.
 */
async function buildInstance(data: string, file: string, into: string): Promise<Built> {
  mkdirSync(join(into, 'images'), { recursive: true, mode: 0o700 })
  const kind = kindOf(file)
  if (kind === undefined) throw new Failure('data', 'it is neither a backup nor a database')
  const built = kind === 'archive' ? await fromArchive(file, into) : await fromDatabase(data, file, into)
  syncAll(into)
  return built
}

async function fromArchive(file: string, into: string): Promise<Built> {
  const manifest = await readArchive(file, (name, bytes) => {
    const place = join(into, name)
    if (name !== 'kiroku.db' && !name.startsWith('images/')) return undefined
    refuseWithoutRoom(into, bytes)
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
    return place
  })
  refuseOther(join(into, 'kiroku.db'), manifest)
  return { began_at: manifest.began_at, contents: manifest }
}

/**
 * Takes the images next to the file, as in a replaced instance, else the current ones: pre-upgrade copies
 * have none.
 */
async function fromDatabase(data: string, file: string, into: string): Promise<Built> {
  const database = join(into, 'kiroku.db')
  refuseWithoutRoom(into, statSync(file).size)
  await copyDatabase(file, database, watchRoom(into)).catch(asDamage)
  const contents = finishCopy(database)
  const beside = join(dirname(file), 'images')
  const images = existsSync(beside) ? beside : join(data, 'images')
  if (linkImages(images, join(into, 'images')) === images) copyImages(images, join(into, 'images'))
  return { began_at: null, contents }
}

function asDamage(cause: unknown): never {
  if (cause instanceof Failure) throw cause
  throw new UnsoundCopy(cause instanceof Error ? cause.message : String(cause))
}

function copyImages(from: string, to: string): void {
  for (const name of imagesIn(from)) {
    mkdirSync(dirname(join(to, name)), { recursive: true, mode: 0o700 })
    copyFileSync(join(from, name), join(to, name))
  }
}

/** Told apart by the first bytes: zstd (RFC 8878 §3.1.1) or SQLite. */
function kindOf(file: string): 'archive' | 'database' | undefined {
  const head = Buffer.alloc(16)
  const descriptor = openSync(file, 'r')
  readSync(descriptor, head)
  closeSync(descriptor)
  if (head.subarray(0, 4).toString('hex') === '28b52ffd') return 'archive'
  return head.toString('latin1') === 'SQLite format 3\0' ? 'database' : undefined
}

function syncAll(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) syncAll(path)
    else syncFile(path)
  }
  syncFile(directory)
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
