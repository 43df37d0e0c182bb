import {
  type Compilable,
  type CompiledQuery,
  createQueryId,
  type RawBuilder,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { Read } from './open'
import type { Tx } from './write'

/** What SQLite can bind. */
export type Bindable = string | number | bigint | Uint8Array | null

/** The place of a value in a prepared query. */
export type SlotOf<V> = <Name extends keyof V & string>(name: Name) => RawBuilder<V[Name]>

/**
 * A query that Kysely builds and compiles once, when first run: on a hot path that is most of what a query costs.
 * `build` puts `slot('name')` where a value goes; each run gives the values by name. Only the SQL is kept: Kysely's tree
 * of a large query takes some 50 KB.
 */
export function prepared<R, V extends Record<string, Bindable>, D extends Read | Tx = Read>(
  build: (db: D, slot: SlotOf<V>) => Compilable<R>,
): (db: D, values: V) => Promise<readonly R[]> {
  let compiled: Compiled | undefined
  return async (db, values) => {
    compiled ??= compile(build(db, slot))
    const { sql, places } = compiled
    const parameters = places.map((place) => (place instanceof Slot ? values[place.name] : place))
    const { rows } = await db.executeQuery<R>({ sql, parameters } as never)
    return rows
  }
}

/** The same for a query that is written as SQL: one whose table is only known at run time. */
export const preparedSql = <R, V extends Record<string, Bindable>>(
  build: (slot: SlotOf<V>) => RawBuilder<R>,
): ((db: Read, values: V) => Promise<readonly R[]>) =>
  prepared((_, slot) => ({
    compile: (): CompiledQuery<R> =>
      new SqliteQueryCompiler().compileQuery(build(slot).toOperationNode(), createQueryId()),
  }))

interface Compiled {
  readonly sql: string
  /** What is bound, in order: a slot for a value that each run gives, or the value itself. */
  readonly places: readonly unknown[]
}

function compile(query: Compilable<unknown>): Compiled {
  const { sql, parameters } = query.compile()
  return { sql, places: parameters }
}

class Slot {
  constructor(readonly name: string) {}
}

const slot = (name: string) => sql<never>`${new Slot(name)}`
