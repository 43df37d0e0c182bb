import type { Database } from 'bun:sqlite'

/** Names of tables; 'any' if it is not known which. */
export type Tables = readonly string[] | 'any'

/** `at`: the last commit before the tables were read. */
export interface FromTables {
  readonly at: number
  readonly tables: Tables
}

/** An instruction of SQLite's virtual machine, as `explain` lists them. */
type Instruction = readonly [address: number, code: string, p1: number, p2: number, p3: number]

type TableOf = (instruction: Instruction) => string | undefined

/** Asks SQLite which tables statements open, in their triggers, foreign keys and views too. Knows each after 0.1 to 5 ms. */
export class StatementTables {
  readonly #handle: Database
  readonly #schemaSeen: () => number | undefined
  #seen: number | undefined
  #known = new WeakMap<object, Tables>()
  #schema: number | undefined
  #byRootPage: ReadonlyMap<number, string> = new Map()

  /** `schemaSeen`: the schema for which what was found out holds; may lag behind. */
  constructor(handle: Database, schemaSeen: () => number | undefined) {
    this.#handle = handle
    this.#schemaSeen = schemaSeen
  }

  /** 'any' if it writes a virtual table, which hides its own tables, or changes the schema. */
  written(statement: { readonly sql: string }): Tables {
    // Saves explaining half of the statements of a write.
    if (/^\s*select\b/i.test(statement.sql)) return []
    return this.#opened(statement, ([, code, p1, p2, p3]) => {
      if (code === 'OpenWrite') return this.#tableAt(p2, p3)
      if (code === 'Clear') return this.#tableAt(p1, p2)
      return code === 'VUpdate' ? 'any' : undefined
    })
  }

  /** Without virtual tables: whoever writes one is taken to write any table. */
  read(statement: { readonly sql: string }): Tables {
    return this.#opened(statement, ([, code, , p2, p3]) =>
      code === 'OpenRead' || code === 'ReopenIdx' ? this.#tableAt(p2, p3) : undefined,
    )
  }

  #opened(statement: { readonly sql: string }, tableOf: TableOf): Tables {
    if (this.#schemaSeen() !== this.#seen) {
      this.#seen = this.#schemaSeen()
      this.#known = new WeakMap()
    }
    const tables = this.#known.get(statement) ?? this.#findOpened(statement.sql, tableOf)
    this.#known.set(statement, tables)
    return tables
  }

  /** In one transaction with the root pages: another process may change the schema, and a vacuum moves them. */
  #findOpened(sql: string, tableOf: TableOf): Tables {
    const isAlone = !this.#handle.inTransaction
    if (isAlone) this.#handle.run('begin')
    try {
      this.#readRootPages()
      using explained = this.#handle.prepare<never, []>(`explain ${sql}`)
      const names = (explained.values() as unknown as Instruction[]).map(tableOf)
      const tables = new Set(names.filter((name) => name !== undefined))
      return tables.has('any') ? 'any' : [...tables]
    } finally {
      if (isAlone) this.#handle.run('commit')
    }
  }

  #readRootPages(): void {
    const schema = schemaVersion(this.#handle)
    if (schema === this.#schema) return
    const pages = this.#handle
      .query('select rootpage, tbl_name from sqlite_schema where rootpage > 0')
      .values()
    this.#byRootPage = new Map(pages as [number, string][])
    this.#schema = schema
  }

  /** `database`: 0 is the main one; 1 has this connection's temporary tables, which nothing that is kept depends on. */
  #tableAt(page: number, database: number): string | undefined {
    if (database === 1) return undefined
    return (database === 0 ? this.#byRootPage.get(page) : undefined) ?? 'any'
  }
}

/** Changes with every change of the schema and every vacuum. */
export const schemaVersion = (handle: Database): number =>
  Number(handle.query('pragma schema_version').values()[0]?.[0])

/** Collects tables of several statements. */
export class TouchedTables {
  readonly #names = new Set<string>()
  #isAny = false

  get all(): Tables {
    return this.#isAny ? 'any' : [...this.#names]
  }

  add(tables: Tables): void {
    if (tables === 'any') this.#isAny = true
    else for (const name of tables) this.#names.add(name)
  }

  clear(): void {
    this.#names.clear()
    this.#isAny = false
  }
}
