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

export type Bindable = string | number | bigint | Uint8Array | null

export type SlotOf<V> = <Name extends keyof V & string>(name: Name) => RawBuilder<V[Name]>

/**
 * Compiles a query once, on first use: on a hot path that is most of its cost. `slot('name')` stands for a
 * value that each run binds. Keeps only the SQL, as Kysely's tree of a large query takes about 50 KB.
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

/** For raw SQL whose table is only known at run time. */
export const preparedSql = <R, V extends Record<string, Bindable>>(
  build: (slot: SlotOf<V>) => RawBuilder<R>,
): ((db: Read | Tx, values: V) => Promise<readonly R[]>) =>
  prepared<R, V, Read | Tx>((_, slot) => ({
    compile: (): CompiledQuery<R> =>
      new SqliteQueryCompiler().compileQuery(build(slot).toOperationNode(), createQueryId()),
  }))

interface Compiled {
  readonly sql: string
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
