import { Database, type SQLQueryBindings } from 'bun:sqlite'
import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

/**
 * Kysely on one bun:sqlite handle. `handle.query` keeps statements prepared, which Kysely's own SQLite dialect does
 * not: a 25-row list is about a quarter cheaper.
 */
export function bunSqliteDialect(handle: Database): Dialect {
  // Bun keeps 20 unless told otherwise; with one more in turn, every one of them is prepared anew each time.
  Database.MAX_QUERY_CACHE_SIZE = keptStatements
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new HandleDriver(handle),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Kysely on a handle for queries alone, without transactions or plug-ins of its own. */
export function kyselyOn<Tables>(handle: Database): Kysely<Tables> {
  const dialect = bunSqliteDialect(handle)
  const executor = new DirectExecutor(handle)
  return new Kysely({ config: { dialect }, driver: dialect.createDriver(), executor, dialect })
}

/** Some 200 are in use; a statement takes about 10 KB. */
const keptStatements = 512

/** SQLite's schema changes are transactional; Kysely says otherwise, and would leave half a migration behind a kill. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * Runs a query where it stands. Kysely's own way to a connection, with a lock and a dozen promises, takes several times
 * as long as a small query.
 */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #connection: HandleConnection

  constructor(handle: Database) {
    const connection = new HandleConnection(handle)
    const provider: ConnectionProvider = { provideConnection: (use) => use(connection) }
    super(new SqliteQueryCompiler(), new TransactionalAdapter(), provider)
    this.#connection = connection
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#connection.executeQuery<R>(query)
  }
}

class HandleDriver implements Driver {
  readonly #connection: HandleConnection

  constructor(handle: Database) {
    this.#connection = new HandleConnection(handle)
  }

  async init() {}

  async acquireConnection() {
    return this.#connection
  }

  async beginTransaction() {
    this.#connection.run('begin immediate')
  }

  async commitTransaction() {
    this.#connection.run('commit')
  }

  async rollbackTransaction() {
    this.#connection.run('rollback')
  }

  async releaseConnection() {}

  async destroy() {}
}

class HandleConnection implements DatabaseConnection {
  readonly #handle: Database

  constructor(handle: Database) {
    this.#handle = handle
  }

  run(sql: string) {
    this.#handle.run(sql)
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#handle.query<R, SQLQueryBindings[]>(sql)
    const values = parameters as SQLQueryBindings[]
    // `all` also steps `insert … returning` to its end; a statement left open would keep the log from being checkpointed.
    if (statement.columnNames.length > 0) return { rows: statement.all(...values) }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  // biome-ignore lint/correctness/useYield: bun:sqlite answers at once; nothing here streams
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('streaming is not supported')
  }
}
