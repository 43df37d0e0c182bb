import { LRUCache } from 'lru-cache'

/** An LRU cache. Each value is valid for one version, of its row or of the database. */
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

/** In bytes, including keys and overhead (promise 12). Keys over 500 characters are not cached. */
export function createCache<K extends string | number, V>(
  capacity: number,
  sizeOf: (value: V) => number,
): Cache<K, V> {
  const entries = new LRUCache<K, { readonly version: number; readonly value: V }>({
    maxSize: capacity,
    sizeCalculation: ({ value }, key) => sizeOf(value) + sizeOfKey(key) + entryOverhead,
  })
  caches.add(new WeakRef(entries))
  let [hits, misses] = [0, 0]
  return {
    get: (key, version) => {
      const entry = entries.get(key)
      if (entry?.version !== version) {
        misses += 1
        return undefined
      }
      hits += 1
      return entry.value
    },
    set: (key, version, value) => {
      if (typeof key === 'number' || key.length <= maxKeyLength) entries.set(key, { version, value })
    },
    usage: () => ({
      bytes: entries.calculatedSize,
      capacity,
      entries: entries.size,
      hits,
      misses,
    }),
  }
}

/** Those of the whole process that are still in use. */
const caches = new Set<WeakRef<{ clear(): void }>>()

/** For a server at rest: whatever was kept is read again when it is wanted. */
export function emptyCaches(): void {
  for (const reference of caches) {
    const cache = reference.deref()
    if (cache === undefined) caches.delete(reference)
    else cache.clear()
  }
}

const maxKeyLength = 500

/** Measured bytes per entry besides its key and value. */
const entryOverhead = 400

const sizeOfKey = (key: string | number) => (typeof key === 'string' ? key.length * 2 : 0)
