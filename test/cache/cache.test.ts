import { describe, expect, test } from 'bun:test'
import { createCache, createTableCache } from '../../src/cache/cache'
import { emptyCaches } from '../../src/lib/collect-garbage'

const bytes = (length: number) => new Uint8Array(length)
const createBytesCache = (capacity: number) =>
  createCache<string | number, Uint8Array>(capacity, ({ length }) => length)

describe('a cache', () => {
  test('returns a value only at its version', () => {
    const cache = createBytesCache(10_000)
    cache.set('/v1/works', 1, bytes(1))
    expect(cache.get('/v1/works', 2)).toBeUndefined()
    cache.set('/v1/works', 2, bytes(2))
    expect(cache.get('/v1/works', 1)).toBeUndefined()
    expect(cache.get('/v1/works', 2)).toHaveLength(2)
  })

  test('keeps what was used last, as much as fits', () => {
    const cache = createBytesCache(10_000)
    for (let id = 0; id < 40; id++) {
      cache.set(id, 1, bytes(600))
      cache.get(3, 1)
    }
    const kept = Array.from({ length: 40 }, (_, id) => id).filter((id) => cache.get(id, 1) !== undefined)
    expect(kept).toEqual([3, 31, 32, 33, 34, 35, 36, 37, 38, 39])
  })

  test('is empty after a rest, and then keeps values again', () => {
    const caches = [createBytesCache(10_000), createBytesCache(10_000)]
    for (const cache of caches) cache.set('a', 1, bytes(1))
    emptyCaches()
    expect(caches.map((cache) => [cache.get('a', 1), cache.usage().bytes])).toEqual([
      [undefined, 0],
      [undefined, 0],
    ])
    for (const cache of caches) cache.set('a', 1, bytes(1))
    expect(caches.map((cache) => cache.get('a', 1)?.length)).toEqual([1, 1])
  })

  test('counts keys as well as values (promise 12)', () => {
    const cache = createBytesCache(10_000)
    const keys = Array.from({ length: 100 }, (_, n) => `${n} ${'x'.repeat(400)}`)
    for (const key of keys) cache.set(key, 1, bytes(0))
    expect(keys.filter((key) => cache.get(key, 1) !== undefined)).toHaveLength(8)
  })

  test('does not keep keys of more than 500 characters, nor values larger than itself', () => {
    const cache = createBytesCache(10_000)
    for (const [key, value, isKept] of [
      ['x'.repeat(501), bytes(1), false],
      ['large', bytes(10_000), false],
      ['x'.repeat(500), bytes(1), true],
    ] as const) {
      cache.set(key, 1, value)
      expect(cache.get(key, 1) !== undefined).toBe(isKept)
    }
  })
})

describe('a cache by tables', () => {
  const from = { at: 1, tables: ['works', 'users'] }

  test('returns a value as long as nothing has touched its tables', () => {
    let isCurrent = true
    const asked: unknown[] = []
    const generations = {
      isCurrent: (...one: unknown[]) => {
        asked.push(one)
        return isCurrent
      },
    }
    const cache = createTableCache<Uint8Array>(generations, 10_000, ({ length }) => length)
    cache.set('a', from, bytes(1))
    expect(cache.get('a')).toHaveLength(1)
    isCurrent = false
    expect(cache.get('a')).toBeUndefined()
    expect(asked).toEqual([
      [1, ['works', 'users']],
      [1, ['works', 'users']],
    ])
  })

  test('counts keys and names of tables as well as values (promise 12)', () => {
    const cache = createTableCache<Uint8Array>({ isCurrent: () => true }, 10_000, ({ length }) => length)
    const keys = Array.from({ length: 100 }, (_, n) => `${n} ${'x'.repeat(400)}`)
    for (const key of keys) cache.set(key, from, bytes(0))
    expect(keys.filter((key) => cache.get(key) !== undefined)).toHaveLength(8)
    cache.set('x'.repeat(501), from, bytes(0))
    expect(cache.get('x'.repeat(501))).toBeUndefined()
  })
})
