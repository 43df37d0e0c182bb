import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Read } from './open'
import type { Tx } from './write'

/** What SQLite can bind. */
export type Bindable = string | number | bigint | Uint8Array | null

/** The place of a value in a prepared query. */
export type SlotOf<V> = <Name extends keyof V & string>(name: Name) => RawBuilder<V[Name]>

/**
 * A query that Kysely builds and compiles once, when first run: on a hot path that is most of what a query costs.
 * `build` puts `slot('name')` where a value goes; each run gives the values by name.
 */
export function prepared<R, V extends Record<string, Bindable>, D extends Read | Tx = Read>(
  build: (db: D, slot: SlotOf<V>) => Compilable<R>,
): (db: D, values: V) => Promise<readonly R[]> {
  let compiled: CompiledQuery<R> | undefined
  return async (db, values) => {
    compiled ??= build(db, slot).compile()
    const { sql, query, queryId } = compiled
    const parameters = compiled.parameters.map((value) =>
      value instanceof Slot ? values[value.name] : value,
    )
    const { rows } = await db.executeQuery<R>({ sql, query, queryId, parameters } as never)
    return rows
  }
}

class Slot {
  constructor(readonly name: string) {}
}

const slot = (name: string) => sql<never>`${new Slot(name)}`
