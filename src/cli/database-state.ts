import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { refuseUnfinishedRestore } from '../backup/restore/replace'
import { withWayOut } from '../backup/way-back'
import { fileFailure, refuseUnusable } from '../db/file-failure'
import { type HighWater, highWaterPath, readHighWater } from '../db/health/high-water'
import { refuseLostFile, refuseOlder } from '../db/health/refuse-other'
import { type MigrationState, migrationState } from '../db/migrate'
import { databasePath, hasDatabase } from '../db/open'
import { Failure } from '../lib/failure'

/** Throws a `noInput` failure if there is no database. */
export function requireDatabase(directory: string): MigrationState {
  const state = stateOf(directory)
  if (state.applied.length > 0) return state
  throw new Failure(
    'noInput',
    `there is no database in ${directory}: kiroku serve creates one, --data names another directory`,
  )
}

/** Only reads, so a refused database is not changed. Throws a `data` failure if it is damaged, newer, or not ours. */
export function stateOf(directory: string): MigrationState {
  try {
    return readState(directory)
  } catch (cause) {
    throw withWayOut(directory, cause)
  }
}

function readState(directory: string): MigrationState {
  const hasOne = hasDatabase(directory)
  refuseUnfinishedRestore(directory)
  const path = databasePath(directory)
  if (existsSync(highWaterPath(directory))) refuseUnusable(highWaterPath(directory), 'read')
  const mark = readHighWater(directory)
  if (!hasOne) {
    refuseLostFile(path, mark)
    return stateOfNone()
  }
  refuseUnusable(path, 'read')
  const handle = openReadOnly(path, mark)
  try {
    handle.run('pragma busy_timeout = 5000')
    // One transaction: another process may be creating the database right now.
    handle.run('begin')
    const state = migrationState(handle)
    if (state.applied.length === 0 && holdsTables(handle))
      throw new Failure('data', `${path} is not a kiroku database`)
    if (state.applied.length > 0) refuseOlder(path, handle, mark)
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

function openReadOnly(path: string, mark: HighWater | undefined): Database {
  try {
    refuseLostFile(path, mark)
    return new Database(path, { readonly: true })
  } catch (cause) {
    throw fileFailure(path, cause)
  }
}

const holdsTables = (handle: Database) =>
  handle
    .query("select 1 from sqlite_schema where name not like 'sqlite_%' and name not like 'kysely_%' limit 1")
    .all().length > 0
