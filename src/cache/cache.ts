import { LRUCache } from 'lru-cache'

/** An LRU cache of values made from the database. Each is good for one version: of the row it was made from, or of all. */
export interface Cache<K, V> {
  get(key: K, version: number): V | undefined
  set(key: K, version: number, value: V): void
}

/**
 * Keeps values while they, their keys and what an entry takes besides fit into `capacity` bytes (promise 12). `sizeOf`
 * is a value's own size in bytes. Nothing is kept under a key of more than 500 characters.
 */
export function createCache<K extends string | number, V>(
  capacity: number,
  sizeOf: (value: V) => number,
): Cache<K, V> {
  const entries = new LRUCache<K, { readonly version: number; readonly value: V }>({
    maxSize: capacity,
    sizeCalculation: ({ value }, key) => sizeOf(value) + sizeOfKey(key) + entryOverhead,
    // Lets the cache use arrays of a fixed length, which are five times as fast.
    max: Math.ceil(capacity / 1000),
  })
  return {
    get: (key, version) => {
      const entry = entries.get(key)
      return entry?.version === version ? entry.value : undefined
    },
    set: (key, version, value) => {
      if (typeof key === 'number' || key.length <= maxKeyLength) entries.set(key, { version, value })
    },
  }
}

const maxKeyLength = 500

/** What an entry takes besides its key and its value's own bytes, as measured. */
const entryOverhead = 400

const sizeOfKey = (key: string | number) => (typeof key === 'string' ? key.length * 2 : 0)
