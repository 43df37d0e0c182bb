import type { Database } from 'bun:sqlite'
import { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { Failure } from '../lib/failure'
import { version } from '../version'
import { bunSqliteDialect } from './dialect'
import { migrations } from './migrations'

/** The migrations a database has had and those it still needs, by name, oldest first. */
export interface MigrationState {
  readonly applied: readonly string[]
  readonly pending: readonly string[]
}

/** Throws a `data` failure that names both versions where the database was written by a newer kiroku. */
export function migrationState(handle: Database): MigrationState {
  const applied = appliedNames(handle)
  const unknown = applied.filter((name) => !(name in migrations))
  if (unknown.length > 0) throw newer(handle, unknown)
  return { applied, pending: Object.keys(migrations).filter((name) => !applied.includes(name)) }
}

/**
 * Brings the database to this executable's schema, in one transaction: all of it or nothing. The caller holds the
 * process lock. Returns the names of the migrations that ran.
 */
export async function migrate(handle: Database, known = migrations): Promise<readonly string[]> {
  const db = new Kysely<unknown>({ dialect: bunSqliteDialect(handle) })
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => asKysely(handle, known) },
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  await db.destroy()
  if (error === undefined) return results.map((result) => result.migrationName)
  const failed = results.find((result) => result.status === 'Error')
  const why = error instanceof Error ? error.message : String(error)
  throw new Failure('data', `migration ${failed?.migrationName ?? ''} failed, nothing was changed: ${why}`)
}

/** A migration is the SQL of its file; the raw statements join the transaction Kysely holds on the same handle. */
function asKysely(handle: Database, known: Readonly<Record<string, string>>): Record<string, Migration> {
  const up = (text: string) => async () => {
    handle.exec(text)
    handle.run("insert or replace into instance (name, value) values ('kiroku_version', ?)", [version])
  }
  return Object.fromEntries(Object.entries(known).map(([name, text]) => [name, { up: up(text) }]))
}

function appliedNames(handle: Database): string[] {
  if (!hasTable(handle, 'kysely_migration')) return []
  const rows = handle.query<{ name: string }, []>('select name from kysely_migration order by name').all()
  return rows.map((row) => row.name)
}

function newer(handle: Database, unknown: readonly string[]): Failure {
  const [row] = handle
    .query<{ value: string }, []>("select value from instance where name = 'kiroku_version'")
    .all()
  return new Failure(
    'data',
    `this database was last upgraded by kiroku ${row?.value ?? 'of an unknown version'} (migration ${unknown.at(-1)}); ` +
      `this is kiroku ${version}, which is older: nothing was changed`,
  )
}

const hasTable = (handle: Database, name: string) =>
  handle.query("select 1 from sqlite_schema where type = 'table' and name = ?").all(name).length > 0
