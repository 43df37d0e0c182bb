import { LRUCache } from 'lru-cache'
import { emptiedAtRest } from '../../lib/collect-garbage'
import type { Seer } from '../connections'
import { kyselyOver } from '../dialect'
import { asRead, type GuardedReader, type Read } from '../reader'
import type { DB } from '../schema'
import type { Generations } from './generations'
import { type FromTables, StatementTables, type Tables, TouchedTables } from './statement-tables'

export interface TrackedRead {
  readonly read: Read
  /** Those read so far. */
  tables(): Tables
}

/**
 * Each of these reads, on the reader's connection as the person given, collects its own tables. What they read is kept apart by
 * `sight` and person. `store`: stands for the store in what is kept of it.
 */
export function trackReads(
  { handle, connection }: GuardedReader,
  {
    store,
    sight,
    generations,
  }: { readonly store: Read; readonly sight: string; readonly generations: Generations },
): (seer: Seer) => TrackedRead {
  const tables = new StatementTables(handle, () => generations.schema)
  return (seer) => {
    const track = (): TrackedRead => {
      const touched = new TouchedTables()
      const through = connection.as(seer, (statement) => touched.add(tables.read(statement)))
      const read = asRead(kyselyOver<DB>(handle, connection, through))
      origins.set(read, { store, seenBy: `${sight} ${seer.id} ${seer.isCrowd}`, touched, generations, track })
      return { read, tables: () => touched.all }
    }
    return track()
  }
}

interface Origin {
  readonly store: Read
  /** What is kept for one is not for another. */
  readonly seenBy: string
  readonly touched: TouchedTables
  readonly generations: Generations
  track(): TrackedRead
}

const origins = new WeakMap<Read, Origin>()

/** The store of reads that are not tracked. */
const stores = new WeakMap<Read, Read>()

/** Says of which store a read is, so that what is kept of it is found again (`perStore`). */
export function ofStore(read: Read, store: Read): Read {
  stores.set(read, store)
  return read
}

type ReadOrKept<T> = (read: Read, key: string, make: (read: Read) => Promise<T>) => Promise<T>

/** Keeps what tracked reads make, by key, person and store, until a commit touches its tables: the `most` used last (promise 12). */
export function keptReads<T>(most: number): ReadOrKept<T> {
  const kept = new WeakMap<Read, LRUCache<string, FromTables & { readonly value: T }>>()
  return async (read, key, make) => {
    const origin = origins.get(read)
    if (origin === undefined || key.length > longestKey) return await make(read)
    const { store, seenBy, touched, generations, track } = origin
    const values = kept.get(store) ?? emptiedAtRest(new LRUCache({ max: most }))
    kept.set(store, values)
    const own = `${seenBy} ${key}`
    const known = values.get(own)
    const current = known !== undefined && generations.isCurrent(known.at, known.tables) ? known : undefined
    const made = current ?? (await makeFromTables(generations.last(), track(), make))
    touched.add(made.tables)
    values.set(own, made)
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

/**
 * One value per store, created on first use with a read of shared rows. What a tracked read takes from it may depend on any
 * table.
 */
export function perStore<T>(create: (read: Read) => T): (read: Read) => T {
  const made = new WeakMap<Read, T>()
  return (read) => {
    const origin = origins.get(read)
    origin?.touched.add('any')
    const store = origin?.store ?? stores.get(read) ?? read
    const one = made.get(store) ?? create(store)
    made.set(store, one)
    return one
  }
}
