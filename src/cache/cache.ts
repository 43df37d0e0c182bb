import { LRUCache } from 'lru-cache'
import type { Generations } from '../db/generations/generations'
import type { FromTables } from '../db/generations/statement-tables'
import { emptiedAtRest } from '../lib/collect-garbage'

/** An LRU cache. Each value is valid for one version of its row. */
export interface Cache<K, V> {
  get(key: K, version: number): V | undefined
  set(key: K, version: number, value: V): void
  usage(): CacheUsage
}

/** Sizes are in bytes. */
export interface CacheUsage {
  readonly bytes: number
  readonly capacity: number
  readonly entries: number
  readonly hits: number
  readonly misses: number
}

/** Values that were made from tables, each valid until a commit touches one of them. */
export interface TableCache<V> {
  get(key: string): V | undefined
  /** `get` that does not count as a miss, for whoever asks again then. */
  peek(key: string): V | undefined
  set(key: string, from: FromTables, value: V): void
  usage(): CacheUsage
}

/** In bytes, including keys and overhead (promise 12). Keys over 500 characters are not cached. */
export function createCache<K extends string | number, V>(
  capacity: number,
  sizeOf: (value: V) => number,
): Cache<K, V> {
  const entries = createEntries<K, { readonly version: number; readonly value: V }>(capacity, ({ value }) =>
    sizeOf(value),
  )
  return {
    get: (key, version) => entries.get(key, (entry) => entry.version === version)?.value,
    set: (key, version, value) => entries.set(key, { version, value }),
    usage: entries.usage,
  }
}

/** As `createCache`. */
export function createTableCache<V>(
  { isCurrent }: Pick<Generations, 'isCurrent'>,
  capacity: number,
  sizeOf: (value: V) => number,
): TableCache<V> {
  const entries = createEntries<string, FromTables & { readonly value: V }>(
    capacity,
    ({ value, tables }) => sizeOf(value) + tables.length * bytesPerTable,
  )
  const isValid = ({ at, tables }: FromTables) => isCurrent(at, tables)
  return {
    get: (key) => entries.get(key, isValid)?.value,
    peek: (key) => entries.peek(key, isValid)?.value,
    set: (key, { at, tables }, value) => entries.set(key, { at, tables, value }),
    usage: entries.usage,
  }
}

function createEntries<K extends string | number, E extends object>(
  capacity: number,
  sizeOf: (entry: E) => number,
) {
  const entries = emptiedAtRest(
    new LRUCache<K, E>({
      maxSize: capacity,
      sizeCalculation: (entry, key) => sizeOf(entry) + sizeOfKey(key) + entryOverhead,
    }),
  )
  let [hits, misses] = [0, 0]
  const peek = (key: K, isValid: (entry: E) => boolean): E | undefined => {
    const entry = entries.get(key)
    if (entry === undefined || !isValid(entry)) return undefined
    hits += 1
    return entry
  }
  return {
    peek,
    get: (key: K, isValid: (entry: E) => boolean): E | undefined => {
      const entry = peek(key, isValid)
      if (entry === undefined) misses += 1
      return entry
    },
    set: (key: K, entry: E): void => {
      if (typeof key === 'number' || key.length <= maxKeyLength) entries.set(key, entry)
    },
    usage: (): CacheUsage => ({
      bytes: entries.calculatedSize,
      capacity,
      entries: entries.size,
      hits,
      misses,
    }),
  }
}

const maxKeyLength = 500

/** Measured bytes per entry besides its key and value. */
const entryOverhead = 400

/** A reference to its name, which is there anyway. */
const bytesPerTable = 8

const sizeOfKey = (key: string | number) => (typeof key === 'string' ? key.length * 2 : 0)
