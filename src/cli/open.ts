import type { Database } from 'bun:sqlite'
import { basename } from 'node:path'
import { indexAllNames } from '../accounts/name-index'
import { removePartialRestore } from '../backup/restore/replace'
import { restoreCommand } from '../backup/way-back'
import { remakeIndexes } from '../catalogue/search/remake'
import { settings } from '../config'
import { fileFailure } from '../db/file-failure'
import { removePartialHighWater } from '../db/health/high-water'
import { type Lock, takeLock } from '../db/lock'
import { migrate } from '../db/migrate'
import { migrations } from '../db/migrations'
import { databasePath, openHandle, openStore, prepareDirectory, type Store } from '../db/open'
import { removePartialSnapshots, takeSnapshot } from '../db/snapshot'
import type { WriterOptions } from '../db/write'
import { exitCodes, Failure } from '../lib/failure'
import { isoTime } from '../lib/time'
import { compileHotCode } from './compile-hot-code'
import { type CallWithDirectory, useDirectory } from './data-directory'
import { requireDatabase, stateOf } from './database-state'

/** `snapshot` is the path of the copy made before the migration, if there was data. */
export interface Upgrade {
  readonly applied: readonly string[]
  readonly snapshot: string | undefined
}

/**
 * Opens the database, which a server may be using too; creates or migrates it first (D56). Throws a `busy`
 * failure if a running server would have to stop for this.
 */
export async function withStore<T>(call: CallWithDirectory, use: (store: Store) => Promise<T>): Promise<T> {
  return await useDirectory(call, () => withStoreOf(call, use))
}

async function withStoreOf<T>(call: CallWithDirectory, use: (store: Store) => Promise<T>): Promise<T> {
  const { get, now } = call
  const directory = get(settings.data)
  await noteUpgrade(call, await upgrade(directory, now))
  try {
    return await withUpgraded(directory, use)
  } catch (cause) {
    throw isUnusableFile(cause) ? fileFailure(databasePath(directory), cause) : cause
  }
}

/** Notes in one line where the pre-migration copy is and how to go back to it. */
export async function noteUpgrade({ get, note }: CallWithDirectory, { snapshot }: Upgrade): Promise<void> {
  if (snapshot !== undefined)
    await note(
      `upgraded the database, after a copy to ${snapshot}; ${goingBack(get(settings.data), snapshot)}`,
    )
}

export const goingBack = (directory: string, snapshot: string): string =>
  `to roll back, stop the server, install the older kiroku and run: ${restoreCommand(directory, basename(snapshot))}`

/** For commands that only read: if there is no database, throws a `noInput` failure and creates nothing. */
export async function withExistingStore<T>(
  call: CallWithDirectory,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  requireDatabase(call.get(settings.data))
  return await withStore(call, use)
}

async function withUpgraded<T>(directory: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = openUpgraded(directory)
  try {
    return await use(store)
  } finally {
    // Committed data is on disk; a server that is busy now will checkpoint the log itself.
    await store.close().catch(() => {})
  }
}

export function openUpgraded(directory: string, options?: WriterOptions): Store {
  const handle = openHandle(directory)
  try {
    return openStore(directory, handle, options)
  } catch (cause) {
    throw fileFailure(databasePath(directory), cause)
  }
}

/** Migrates to this executable's schema. Takes no lock if nothing is pending. */
export async function upgrade(directory: string, now: () => number): Promise<Upgrade> {
  prepareDirectory(directory)
  if (stateOf(directory).pending.length === 0) return { applied: [], snapshot: undefined }
  const lock = await lockForUpgrade(directory)
  try {
    return lock === undefined ? { applied: [], snapshot: undefined } : await upgradeLocked(directory, now)
  } finally {
    lock?.release()
  }
}

/** The caller holds the lock of the data directory. */
export async function upgradeLocked(directory: string, now: () => number): Promise<Upgrade> {
  removePartialSnapshots(directory)
  removePartialHighWater(directory)
  removePartialRestore(directory)
  const { applied, pending } = stateOf(directory)
  const [first] = pending
  if (first === undefined) return { applied: [], snapshot: undefined }
  compileHotCode()
  const handle = openHandle(directory)
  try {
    const name = `before-${first.name}-${isoTime(now()).replaceAll(/[-:]|\.\d+/g, '')}`
    const snapshot = applied.length === 0 ? undefined : takeSnapshot(handle, directory, name)
    return { applied: await migrate(handle, migrations, remakeSearch), snapshot }
  } finally {
    handle.close()
  }
}

function remakeSearch(handle: Database): void {
  remakeIndexes(handle)
  indexAllNames(handle)
}

/** Undefined if the lock's holder has migrated meanwhile, for example when two commands create a directory. */
async function lockForUpgrade(directory: string): Promise<Lock | undefined> {
  const begun = performance.now()
  for (;;) {
    try {
      return takeLock(directory)
    } catch (cause) {
      if (!(cause instanceof Failure) || cause.exitCode !== exitCodes.busy) throw cause
      const { applied, pending } = stateOf(directory)
      if (pending.length === 0) return undefined
      // No server of an older version serves a database that is being made.
      if (performance.now() > begun + (applied.length === 0 ? 60_000 : 3000)) throw serverMustStop(directory)
      await Bun.sleep(20)
    }
  }
}

const serverMustStop = (directory: string) =>
  new Failure(
    'busy',
    `the database in ${directory} is from an older kiroku: stop the server, then run this again`,
  )

/** SQLite's errors for a file it cannot use, which do not name the file. */
const isUnusableFile = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && /^SQLITE_(?:CANTOPEN|READONLY|PERM)/.test(String(cause.code))
