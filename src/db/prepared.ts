import { type Compilable, type CompiledQuery, createQueryId, type RawBuilder, sql } from 'kysely'
import { SteadyQueryCompiler } from './dialect'
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
    return await runCompiled<R>(compiled, db, values)
  }
}

/** For raw SQL whose table is only known at run time. */
export const preparedSql = <R, V extends Record<string, Bindable>>(
  build: (slot: SlotOf<V>) => RawBuilder<R>,
): ((db: Read | Tx, values: V) => Promise<readonly R[]>) =>
  prepared<R, V, Read | Tx>((_, slot) => compilable(build(slot)))

export interface BoundQuery<R, V> {
  /** The names of its slots, each as often as it occurs. */
  readonly slots: readonly string[]
  run(db: Read | Tx, values: V): Promise<readonly R[]>
}

/** As `preparedSql`, but compiled at once, for whoever has to know which values it binds. */
export function boundSql<R, V extends Record<string, Bindable>>(
  build: (slot: SlotOf<V>) => RawBuilder<R>,
): BoundQuery<R, V> {
  const compiled = compile(compilable(build(slot)))
  return {
    slots: compiled.places.flatMap((place) => (place instanceof Slot ? [place.name] : [])),
    run: (db, values) => runCompiled<R>(compiled, db, values),
  }
}

const compilable = <R>(built: RawBuilder<R>): Compilable<R> => ({
  compile: (): CompiledQuery<R> =>
    new SteadyQueryCompiler().compileQuery(built.toOperationNode(), createQueryId()),
})

interface Compiled {
  readonly sql: string
  readonly places: readonly unknown[]
}

async function runCompiled<R>(
  { sql, places }: Compiled,
  db: Read | Tx,
  values: Readonly<Record<string, Bindable>>,
): Promise<readonly R[]> {
  const parameters = places.map((place) => (place instanceof Slot ? values[place.name] : place))
  const { rows } = await db.executeQuery<R>({ sql, parameters } as never)
  return rows
}

function compile(query: Compilable<unknown>): Compiled {
  const { sql, parameters } = query.compile()
  return { sql, places: parameters }
}

class Slot {
  constructor(readonly name: string) {}
}

const slot = (name: string) => sql<never>`${new Slot(name)}`
