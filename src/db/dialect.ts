import type { Database } from 'bun:sqlite'
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
  type ValueNode,
} from 'kysely'
import { once } from '../lib/once'
import { HandleConnection, TransactionConnection } from './connections'
import type { Generations } from './generations/generations'
import { StatementTables, type Tables, type TouchedTables } from './generations/statement-tables'
import type { QueryWatch } from './watching'

/**
 * Hides from SQLite that a value is a parameter: where an index, a `limit` or a guarded view could make use of the value, it would
 * plan the statement again whenever another one is bound, 20 to 250 µs each time. `+` changes no value and no comparison. 0 and 1 are
 * written out where something is compared with them or one row is asked for: partial indexes and plans are chosen by them.
 */
export class SteadyQueryCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }

  protected override visitValue(node: ValueNode): void {
    const isSmall = node.value === 0 || node.value === 1
    const parent = this.parentNode?.kind
    if (isSmall && (parent === 'BinaryOperationNode' || parent === 'LimitNode'))
      this.appendImmediateValue(node.value)
    else super.visitValue(node)
  }
}

/** Kysely on one bun:sqlite handle, with an LRU cache of prepared statements, which its own SQLite dialect lacks. */
export function bunSqliteDialect(handle: Database): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new HandleDriver(new HandleConnection(handle)),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SteadyQueryCompiler(),
  }
}

/** Has no transactions. `destroy()` it before closing the handle: open statements keep the connection open. */
export function kyselyOn<Tables>(handle: Database, watch?: QueryWatch): Kysely<Tables> {
  return kyselyOver(handle, new HandleConnection(handle, watch))
}

export interface InTransactions<Schema> {
  readonly tx: Kysely<Schema>
  /** What ended the transaction before its time. */
  endedBy(): unknown
  hasBegun(): void
  /** Since it has begun. */
  touched(): Tables
}

/** For queries in the caller's transaction. Outside one they throw, since SQLite would commit each separately. */
export function kyselyInTransactions<Schema>(
  handle: Database,
  generations: Generations,
  watch?: QueryWatch,
): InTransactions<Schema> {
  const tables = new StatementTables(handle, () => generations.schema)
  const connection = new TransactionConnection(handle, tables, watch)
  const tx = kyselyOver<Schema>(handle, connection)
  writers.set(tx, { handle, touched: connection.touched })
  return {
    tx,
    endedBy: () => connection.endedBy,
    hasBegun: () => {
      connection.endedBy = undefined
      connection.touched.clear()
    },
    touched: () => connection.touched.all,
  }
}

/** Call it before writing on the handle itself: only statements of `tx` tell which tables they write. */
export function touchAnyTable(tx: object): void {
  writers.get(tx)?.touched.add('any')
}

/**
 * The handle of a write's transaction, for synchronous work on the catalogue within it, which imports share. Whatever is kept of
 * any table is read again.
 */
export function handleOf(tx: object): Database {
  const writer = writers.get(tx)
  if (writer === undefined) throw new Error('not in a write')
  writer.touched.add('any')
  return writer.handle
}

interface WriterParts {
  readonly handle: Database
  readonly touched: TouchedTables
}

const writers = new WeakMap<object, WriterParts>()

/** `through`: runs the queries on `connection`. */
export function kyselyOver<Schema>(
  handle: Database,
  connection: HandleConnection,
  through: DatabaseConnection = connection,
): Kysely<Schema> {
  const dialect = bunSqliteDialect(handle)
  const executor = new DirectExecutor(through)
  return new Kysely({ config: { dialect }, driver: new HandleDriver(connection), executor, dialect })
}

/** SQLite's DDL is transactional, though Kysely says it is not: a kill would leave half a migration behind. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Skips Kysely's lock and dozen promises per query, which take several times as long as a small query itself. */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #connection: DatabaseConnection

  constructor(connection: DatabaseConnection) {
    const provider: ConnectionProvider = { provideConnection: (use) => use(connection) }
    super(compiler(), new TransactionalAdapter(), provider)
    this.#connection = connection
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#connection.executeQuery<R>(query)
  }
}

/** Shared, as it is idle between two queries: each has a hundred bound methods, and each page that is not kept has a read of its own. */
const compiler = once(() => new SteadyQueryCompiler())

class HandleDriver implements Driver {
  constructor(private readonly connection: HandleConnection) {}

  async init() {}

  async acquireConnection() {
    return this.connection
  }

  async beginTransaction() {
    this.connection.run('begin immediate')
  }

  async commitTransaction() {
    this.connection.run('commit')
  }

  async rollbackTransaction() {
    this.connection.run('rollback')
  }

  async releaseConnection() {}

  async destroy() {
    this.connection.finalize()
  }
}
