import type { Database } from 'bun:sqlite'
import { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { Failure } from '../lib/failure'
import { version } from '../version'
import { bunSqliteDialect } from './dialect'
import { migrations } from './migrations'

export interface KnownMigration {
  readonly name: string
  /** Hex SHA-256 of the SQL; null if it ran before digests were kept. */
  readonly sha256: string | null
}

export interface MigrationState {
  readonly applied: readonly KnownMigration[]
  readonly pending: readonly KnownMigration[]
}

/** Only reads. Throws a `data` failure for migrations of another build, and for any that was changed after it ran. */
export function migrationState(handle: Database, known = migrations): MigrationState {
  const applied = appliedTo(handle)
  const unknown = applied.filter(({ name }) => !(name in known))
  if (unknown.length > 0) throw writtenByOtherBuild(handle, unknown, known)
  for (const migration of applied) refuseChanged(migration, known)
  const pending = Object.entries(known).filter(([name]) => !applied.some((one) => one.name === name))
  return { applied, pending: pending.map(([name, text]) => ({ name, sha256: digestOf(text) })) }
}

/**
 * Runs pending migrations in one transaction and returns their names. `finish` does what SQL cannot, after
 * the last migration only. The caller holds the process lock.
 */
export async function migrate(
  handle: Database,
  known = migrations,
  finish: (handle: Database) => void = () => {},
): Promise<readonly string[]> {
  const db = new Kysely<unknown>({ dialect: bunSqliteDialect(handle) })
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => asKysely(handle, known, finish) },
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  await db.destroy()
  if (error === undefined) return results.map((result) => result.migrationName)
  const failed = results.find((result) => result.status === 'Error')
  const why = error instanceof Error ? error.message : String(error)
  throw new Failure('data', `migration ${failed?.migrationName ?? ''} failed, nothing was changed: ${why}`)
}

/** The raw statements join the transaction that Kysely holds on the same handle. */
function asKysely(
  handle: Database,
  known: Readonly<Record<string, string>>,
  finish: (handle: Database) => void,
): Record<string, Migration> {
  const last = Object.keys(known).at(-1)
  const up = (name: string, text: string) => async () => {
    handle.exec(text)
    if (name === last) finish(handle)
    handle.run("insert or replace into instance (name, value) values ('kiroku_version', ?)", [version])
    keepDigests(handle, known, name)
  }
  return Object.fromEntries(Object.entries(known).map(([name, text]) => [name, { up: up(name, text) }]))
}

/** A database from before digests were kept also gets those of all earlier migrations. */
function keepDigests(handle: Database, known: Readonly<Record<string, string>>, last: string): void {
  handle.run(`create table if not exists ${digests} (name text primary key, sha256 text not null) strict`)
  for (const [name, text] of Object.entries(known).filter(([name]) => name <= last))
    handle.run(`insert or ignore into ${digests} (name, sha256) values (?, ?)`, [name, digestOf(text)])
}

/** Created by the migrator, like `kysely_migration`: the first migration already needs it. */
const digests = 'kysely_migration_digest'

const digestOf = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')

function appliedTo(handle: Database): readonly KnownMigration[] {
  if (!hasTable(handle, 'kysely_migration')) return []
  const sha256 = hasTable(handle, digests)
    ? `(select sha256 from ${digests} where ${digests}.name = kysely_migration.name)`
    : 'null'
  return handle
    .query<{ name: string; sha256: string | null }, []>(
      `select name, ${sha256} as sha256 from kysely_migration order by name`,
    )
    .all()
}

function refuseChanged({ name, sha256 }: KnownMigration, known: Readonly<Record<string, string>>): void {
  const ours = digestOf(known[name] ?? '')
  if (sha256 === null || sha256 === ours) return
  throw new Failure(
    'data',
    `migration ${name} was applied with other statements (SHA-256 ${sha256}) than this kiroku has (${ours}): nothing was changed`,
  )
}

function writtenByOtherBuild(
  handle: Database,
  unknown: readonly KnownMigration[],
  known: Readonly<Record<string, string>>,
): Failure {
  const [row] = handle
    .query<{ value: string }, []>("select value from instance where name = 'kiroku_version'")
    .all()
  return new NewerDatabase(
    `this database was last upgraded by kiroku ${row?.value ?? 'of an unknown version'} (migration ${unknown.at(-1)?.name}); ` +
      `this is another build, kiroku ${version}, whose last migration is ${Object.keys(known).at(-1)}: nothing was changed`,
    unknown[0]?.name ?? '',
  )
}

export class NewerDatabase extends Failure {
  constructor(
    message: string,
    /** The first migration that this kiroku does not know. */
    readonly firstUnknown: string,
  ) {
    super('data', message)
  }
}

const hasTable = (handle: Database, name: string) =>
  handle.query("select 1 from sqlite_schema where type = 'table' and name = ?").all(name).length > 0
