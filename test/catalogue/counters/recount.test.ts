import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { searchDrift } from '../../../src/catalogue/counters/search-drift'
import { catalogueStore, episode, work } from '../../support/catalogue-store'

test('D40 a wrong counter is found', async () => {
  const store = await catalogueStore()
  await store.load('mine', [work('annict:1'), episode('e:1', 'annict:1', 1)])
  expect(findDrift(store.handle)).toEqual([])
  store.handle.run('update works set episodes_count = 5')
  store.handle.run('update works set watchers_count = 9')
  expect(findDrift(store.handle)).toEqual([
    { table: 'works', column: 'episodes_count', row: 1, kept: 5, counted: 1 },
    { table: 'works', column: 'watchers_count', row: 1, kept: 9, counted: 0 },
  ])
  expect(findDrift(store.handle, 1)).toHaveLength(1)
  store.close()
})

const one = fc.constantFrom(1, 2, 3)
const key = one.map((n) => `k:${n}`)
const line = fc.oneof(
  fc
    .record({ n: one, hide: fc.boolean() })
    .map(({ n, hide }) => work(`k:${n}`, hide ? { deleted: true } : {})),
  fc.tuple(key, key, one).map(([name, of, n]) => episode(name, of, n)),
  fc.tuple(key, key, key).map(([of, character, person]) => ({ type: 'cast', work: of, character, person })),
  fc.tuple(key, key).map(([of, person]) => ({ type: 'staff', work: of, person, role: 'music' })),
  fc.tuple(key, key).map(([of, organization]) => ({ type: 'staff', work: of, organization, role: 'studio' })),
  fc.tuple(key, key, one).map(([name, of, n]) => ({
    type: 'program',
    key: name,
    channel: 'k:1',
    work: of,
    started_at: `2024-03-0${n}T00:00:00Z`,
  })),
  fc
    .tuple(fc.constantFrom('work', 'episode', 'person', 'organization', 'character', 'series'), key)
    .map(([type, name]) => ({ type, key: name, deleted: true })),
  fc
    .tuple(fc.constantFrom('work', 'person', 'organization', 'character', 'series', 'episode'), key, key)
    .filter(([, from, to]) => from !== to)
    .map(([type, from, to]) => ({ type, key: from, merged_into: to })),
  key.map((name) => work(name, { episodes_estimate: 2 })),
)

const base = [1, 2, 3].flatMap((n) => [
  work(`k:${n}`),
  episode(`k:${n}`, `k:${n}`, n),
  ...['person', 'organization', 'character', 'series', 'channel'].map((type) => ({
    type,
    key: `k:${n}`,
    name: `${type} ${n}`,
  })),
])

test('D40 after any sequence of imports the counters equal a count of the rows, and the index matches the texts', async () => {
  const packs = fc.array(fc.record({ name: fc.constantFrom('annict', 'one', 'two'), row: line }), {
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(packs, async (sequence) => {
      const store = await catalogueStore()
      await store.load('base', base)
      for (const { name, row } of sequence) await store.load(name, [row])
      expect(findDrift(store.handle)).toEqual([])
      expect(searchDrift(store.handle)).toEqual([])
      store.close()
    }),
    { numRuns: 12 },
  )
}, 60_000)
