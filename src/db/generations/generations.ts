import type { Database } from 'bun:sqlite'
import { schemaVersion, type Tables } from './statement-tables'

/** Tells until when something that was read is up to date: each table has the number of the last commit that touched it. */
export class Generations {
  readonly #handle: Database
  readonly #lastOf = new Map<string, number>()
  #last = 0
  #lastOfAny = 0
  #dataVersion: number | undefined
  #schema: number | undefined
  #lookFrom = 0

  /** `handle`: the writer's. There, `data_version` only changes with commits of other processes. */
  constructor(handle: Database) {
    this.#handle = handle
  }

  /** The number of the last commit that touched anything. What is read from now on is at least as new. */
  last(): number {
    this.look()
    return this.#last
  }

  /** Whether nothing has touched the tables since the commit `at`. Those of other processes are noticed within 2 ms. */
  readonly isCurrent = (at: number, tables: Tables): boolean => {
    this.look()
    if (tables === 'any') return at >= this.#last
    if (at < this.#lastOfAny) return false
    for (const table of tables) if (at < (this.#lastOf.get(table) ?? 0)) return false
    return true
  }

  /** The schema that statements were last known to run on: what was found out about them holds for one. */
  get schema(): number | undefined {
    return this.#schema
  }

  /** Call it in a write transaction: until it ends, no other process can commit or change the schema. */
  hasBegun(): void {
    this.#notice()
  }

  /** Call it after a commit of this process, before anybody hears of it. */
  committed(tables: Tables): void {
    if (tables.length === 0) return
    this.#last += 1
    if (tables === 'any') this.#lastOfAny = this.#last
    else for (const table of tables) this.#lastOf.set(table, this.#last)
  }

  protected look(): void {
    // Within a transaction there is nothing to see but its own statements.
    if (performance.now() < this.#lookFrom || this.#handle.inTransaction) return
    this.#notice()
    this.#lookFrom = performance.now() + lookEveryMs
  }

  #notice(): void {
    try {
      const dataVersion = Number(this.#handle.query('pragma data_version').values()[0]?.[0])
      const schema = schemaVersion(this.#handle)
      if (dataVersion === this.#dataVersion && schema === this.#schema) return
      this.#dataVersion = dataVersion
      this.#schema = schema
      this.committed('any')
    } catch {
      // A reader reports what is wrong with the file; nothing is current until this can be told again.
      this.committed('any')
    }
  }
}

const lookEveryMs = 2
