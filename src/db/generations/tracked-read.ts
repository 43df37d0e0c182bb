import { TrackedConnection } from '../connections'
import { kyselyOver } from '../dialect'
import { asRead, type Read, type Reader } from '../reader'
import type { Generations } from './generations'
import { StatementTables, type Tables, type TouchedTables } from './statement-tables'

export interface TrackedRead {
  readonly read: Read
  /** Those read so far. */
  tables(): Tables
}

/** Each of these reads, on the reader's connection, collects its own tables. */
export function trackReads(
  { handle, connection, read: untracked }: Reader,
  generations: Generations,
): () => TrackedRead {
  const tables = new StatementTables(handle, () => generations.schema)
  return () => {
    const tracked = new TrackedConnection(connection, tables)
    const { touched } = tracked
    const read = asRead(kyselyOver(handle, connection, tracked))
    origins.set(read, { untracked, touched })
    return { read, tables: () => touched.all }
  }
}

const origins = new WeakMap<Read, { readonly untracked: Read; readonly touched: TouchedTables }>()

/** One value per store, created on first use. What a tracked read takes from it may depend on any table. */
export function perStore<T>(create: (read: Read) => T): (read: Read) => T {
  const made = new WeakMap<Read, T>()
  return (read) => {
    const origin = origins.get(read)
    origin?.touched.add('any')
    const store = origin?.untracked ?? read
    const one = made.get(store) ?? create(store)
    made.set(store, one)
    return one
  }
}
