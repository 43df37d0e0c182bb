import { LRUCache } from 'lru-cache'
import { emptiedAtRest } from '../../lib/collect-garbage'
import { TrackedConnection } from '../connections'
import { kyselyOver } from '../dialect'
import { asRead, type Read, type Reader } from '../reader'
import type { Generations } from './generations'
import { type FromTables, StatementTables, type Tables, type TouchedTables } from './statement-tables'

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
  const track = (): TrackedRead => {
    const tracked = new TrackedConnection(connection, tables)
    const { touched } = tracked
    const read = asRead(kyselyOver(handle, connection, tracked))
    origins.set(read, { untracked, touched, generations, track })
    return { read, tables: () => touched.all }
  }
  return track
}

interface Origin {
  readonly untracked: Read
  readonly touched: TouchedTables
  readonly generations: Generations
  track(): TrackedRead
}

const origins = new WeakMap<Read, Origin>()

type ReadOrKept<T> = (read: Read, key: string, make: (read: Read) => Promise<T>) => Promise<T>

/** Keeps what tracked reads make, by key and store, until a commit touches its tables: the `most` used last (promise 12). */
export function keptReads<T>(most: number): ReadOrKept<T> {
  const stores = new WeakMap<Read, LRUCache<string, FromTables & { readonly value: T }>>()
  return async (read, key, make) => {
    const origin = origins.get(read)
    if (origin === undefined || key.length > longestKey) return await make(read)
    const { untracked, touched, generations, track } = origin
    const ofStore = stores.get(untracked) ?? emptiedAtRest(new LRUCache({ max: most }))
    stores.set(untracked, ofStore)
    const known = ofStore.get(key)
    const kept = known !== undefined && generations.isCurrent(known.at, known.tables) ? known : undefined
    const made = kept ?? (await makeFromTables(generations.last(), track(), make))
    touched.add(made.tables)
    ofStore.set(key, made)
    return made.value
  }
}

/** In characters. */
const longestKey = 500

async function makeFromTables<T>(
  at: number,
  { read, tables }: TrackedRead,
  make: (read: Read) => Promise<T>,
) {
  const value = await make(read)
  return { at, tables: tables(), value }
}

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
