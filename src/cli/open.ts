import { Database } from 'bun:sqlite'
import { remakeIndexes } from '../catalogue/search/remake'
import { settings } from '../config'
import { fileFailure, refuseUnusable } from '../db/file-failure'
import { type Lock, takeLock } from '../db/lock'
import { type MigrationState, migrate, migrationState } from '../db/migrate'
import { migrations } from '../db/migrations'
import { databasePath, hasDatabase, openHandle, openStore, prepareDirectory, type Store } from '../db/open'
import { removePartialSnapshots, takeSnapshot } from '../db/snapshot'
import { exitCodes, Failure } from '../lib/failure'
import { isoTime } from '../lib/time'
import type { Call } from './command'

/** What a migration did: the names of what ran, and where the copy from before it lies, if there was data. */
export interface Upgrade {
  readonly applied: readonly string[]
  readonly snapshot: string | undefined
}

/** The data directory is named by the call's options. */
type Place = Pick<Call, 'get' | 'now'>

/**
 * Runs `use` on the database of a call's data directory, which a server may be using too. Makes and migrates what is missing
 * (D56); throws a `busy` failure where a running server would have to stop for that.
 */
export async function withStore<T>({ get, now }: Place, use: (store: Store) => Promise<T>): Promise<T> {
  const directory = get(settings.data)
  await upgrade(directory, now)
  try {
    return await withUpgraded(directory, use)
  } catch (cause) {
    throw isUnopened(cause) ? fileFailure(databasePath(directory), cause) : cause
  }
}

/** The same for a command that only reads: throws a `noInput` failure, and makes nothing, where there is no database. */
export async function withExistingStore<T>(call: Place, use: (store: Store) => Promise<T>): Promise<T> {
  requireDatabase(call.get(settings.data))
  return await withStore(call, use)
}

/** Which migrations the database of a directory has had. Throws a `noInput` failure where there is none. */
export function requireDatabase(directory: string): MigrationState {
  const state = stateOf(directory)
  if (state.applied.length > 0) return state
  throw new Failure(
    'noInput',
    `there is no database in ${directory}: kiroku serve makes one, --data names another directory`,
  )
}

async function withUpgraded<T>(directory: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = openUpgraded(directory)
  try {
    return await use(store)
  } finally {
    // What was written is on disk; a server that is busy at this moment will tidy up the log itself.
    await store.close().catch(() => {})
  }
}

/** Opens a database that is upgraded, for work that may be long. */
export function openUpgraded(directory: string): Store {
  // Until here the engine is slow to compile what it runs: see scripts/compile.ts.
  Bun.unsafe.setJITPolicy(1)
  const handle = openHandle(directory)
  try {
    return openStore(directory, handle)
  } catch (cause) {
    throw fileFailure(databasePath(directory), cause)
  }
}

/** Brings a data directory to this executable's schema. Does nothing, and needs no lock, where it has it already. */
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

/** The same, for a caller that holds the data directory's lock. */
export async function upgradeLocked(directory: string, now: () => number): Promise<Upgrade> {
  removePartialSnapshots(directory)
  const { applied, pending } = stateOf(directory)
  const [first] = pending
  if (first === undefined) return { applied: [], snapshot: undefined }
  const handle = openHandle(directory)
  try {
    const name = `before-${first.name}-${isoTime(now()).replaceAll(/[-:]|\.\d+/g, '')}`
    const snapshot = applied.length === 0 ? undefined : takeSnapshot(handle, directory, name)
    return { applied: await migrate(handle, migrations, remakeIndexes), snapshot }
  } finally {
    handle.close()
  }
}

/**
 * Which migrations a data directory has had. Looks without writing, so that a database that is refused is left as it
 * was. Throws a `data` failure for one that is damaged, newer, or not ours.
 */
export function stateOf(directory: string): MigrationState {
  if (!hasDatabase(directory)) return stateOfNone()
  const path = databasePath(directory)
  refuseUnusable(path, 'read')
  const handle = openReadOnly(path)
  try {
    handle.run('pragma busy_timeout = 5000')
    // One look: another process may be making the database right now.
    handle.run('begin')
    const state = migrationState(handle)
    if (state.applied.length === 0 && holdsTables(handle))
      throw new Failure('data', `${path} is not kiroku's`)
    return state
  } catch (cause) {
    throw fileFailure(path, cause)
  } finally {
    handle.close()
  }
}

function stateOfNone(): MigrationState {
  using handle = new Database(':memory:')
  return migrationState(handle)
}

/** The lock; undefined when whoever held it has done the work meanwhile, as when two commands make a new directory. */
async function lockForUpgrade(directory: string): Promise<Lock | undefined> {
  const patience = performance.now() + 3000
  for (;;) {
    try {
      return takeLock(directory)
    } catch (cause) {
      if (!(cause instanceof Failure) || cause.exitCode !== exitCodes.busy) throw cause
      if (stateOf(directory).pending.length === 0) return undefined
      if (performance.now() > patience) throw mustStop(directory)
      await Bun.sleep(20)
    }
  }
}

const mustStop = (directory: string) =>
  new Failure(
    'busy',
    `the database in ${directory} is of an older kiroku: stop the server, then run this again`,
  )

function openReadOnly(path: string): Database {
  try {
    return new Database(path, { readonly: true })
  } catch (cause) {
    throw fileFailure(path, cause)
  }
}

const holdsTables = (handle: Database) =>
  handle
    .query("select 1 from sqlite_schema where name not like 'sqlite_%' and name not like 'kysely_%' limit 1")
    .all().length > 0

/** What SQLite says of a file it cannot use, without the file's name. */
const isUnopened = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && /^SQLITE_(?:CANTOPEN|READONLY|PERM)/.test(String(cause.code))
