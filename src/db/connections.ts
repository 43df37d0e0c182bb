import type { Database, SQLQueryBindings, Statement } from 'bun:sqlite'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import { emptiedAtRest } from '../lib/collect-garbage'
import { type StatementTables, TouchedTables } from './generations/statement-tables'
import type { QueryWatch } from './watching'

/** Per connection. About 200 are in use, at about 10 KB each. */
const preparedStatements = 256

export interface Prepared {
  readonly sql: string
  readonly statement: Statement<unknown, SQLQueryBindings[]>
  readonly returnsRows: boolean
}

/** One bun:sqlite handle, with an LRU cache of prepared statements. */
export class HandleConnection implements DatabaseConnection {
  /** Not `handle.query`, whose look-up takes 0.4 µs more and reading column names 0.2 µs. */
  readonly #prepared = emptiedAtRest(
    new LRUCache<string, Prepared>({
      max: preparedStatements,
      dispose: ({ statement }) => statement.finalize(),
    }),
  )

  constructor(
    protected readonly handle: Database,
    private readonly watch?: QueryWatch,
  ) {}

  run(sql: string) {
    this.handle.run(sql)
  }

  finalize() {
    this.#prepared.clear()
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.execute(query)
  }

  /** `using` hears of the statement before it runs. */
  execute<R>(query: CompiledQuery, using?: (statement: Prepared) => void): QueryResult<R> {
    if (this.watch === undefined) return this.#run(query, using)
    const begun = performance.now()
    const result = this.#run<R>(query, using)
    const took = performance.now() - begun
    if (took >= this.watch.slowMs) this.watch.slow(query.sql, took)
    return result
  }

  #run<R>({ sql, parameters }: CompiledQuery, using?: (statement: Prepared) => void): QueryResult<R> {
    const prepared = this.#prepared.get(sql) ?? this.#prepare(sql)
    using?.(prepared)
    const { statement, returnsRows } = prepared
    const values = parameters as SQLQueryBindings[]
    // `all` runs `insert … returning` to its end; an open statement would block checkpoints.
    if (returnsRows) return { rows: statement.all(...values) as R[] }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  #prepare(sql: string): Prepared {
    const statement = this.handle.prepare<unknown, SQLQueryBindings[]>(sql)
    const prepared = { sql, statement, returnsRows: statement.columnNames.length > 0 }
    this.#prepared.set(sql, prepared)
    return prepared
  }

  // biome-ignore lint/correctness/useYield: bun:sqlite answers at once; nothing here streams
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('streaming is not supported')
  }
}

/** For queries in the caller's transaction, whose tables it collects. Outside one they throw. */
export class TransactionConnection extends HandleConnection {
  readonly touched = new TouchedTables()
  endedBy: unknown

  constructor(
    handle: Database,
    private readonly tables: StatementTables,
    watch?: QueryWatch,
  ) {
    super(handle, watch)
  }

  override execute<R>(query: CompiledQuery): QueryResult<R> {
    if (!this.handle.inTransaction) throw this.endedBy ?? new Error('a query outside of its transaction')
    try {
      return super.execute<R>(query, this.#touch)
    } catch (cause) {
      if (!this.handle.inTransaction) this.endedBy = cause
      throw cause
    }
  }

  readonly #touch = (statement: Prepared): void => this.touched.add(this.tables.written(statement))
}

/** Whose eyes a guarded connection reads with; 0 is a visitor. `isCrowd`: those whom they muted are left out. */
export interface Seer {
  readonly id: number
  readonly isCrowd: boolean
}

/** A connection whose tables are guarded (`src/db/guard/views.ts`). Before each statement it is told who reads. */
export class GuardedConnection extends HandleConnection {
  #id = 0
  #isCrowd = false

  /** Executes as this person; `using` hears of each statement. */
  as(seer: Seer, using?: (statement: Prepared) => void): DatabaseConnection {
    return {
      executeQuery: async (query) => {
        this.#become(seer)
        return this.execute(query, using)
      },
      streamQuery: () => this.streamQuery(),
    }
  }

  /** Calls are synchronous: nobody else's statement comes between. */
  #become({ id, isCrowd }: Seer): void {
    if (id === this.#id && isCrowd === this.#isCrowd) return
    this.handle.query('update temp.seer set id = ?, is_crowd = ?').run(id, Number(isCrowd))
    this.#id = id
    this.#isCrowd = isCrowd
  }
}
