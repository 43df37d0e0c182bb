import { expect, test } from 'bun:test'
import { findDrift } from '../../src/catalogue/counters/recount'
import { catalogueStore, episode, work } from '../support/catalogue-store'
import { contentsOf, demo, demoStore, episodes } from '../support/demo-instance'

test('a catalogue without episodes, or with future ones only, is refused; nothing is changed', async () => {
  const other = await catalogueStore()
  const before = contentsOf(other.handle)
  expect(() => demo(other.handle)).toThrow('the catalogue has no episodes to record')
  expect(contentsOf(other.handle)).toEqual(before)
  await other.load('mine', [
    work('w:1', { broadcast: { begin: '2024-02-01T00:00:00Z', interval: 'P7D' } }),
    episode('e:1', 'w:1', 1),
  ])
  const until = Date.UTC(2024, 1, 1)
  const problem = 'no episode was broadcast before 2024-02-01T00:00:00.000Z: give a later --until'
  expect(() => demo(other.handle, { until })).toThrow(problem)
  expect(demo(other.handle, { records: 0 }).counts).toMatchObject({ users: 120, records: 0 })
  other.close()
})

test('the same seed yields the same community, another seed another one', async () => {
  const stores = [await demoStore(), await demoStore(), await demoStore()]
  const [first, second, third] = stores.map(({ handle }, n) => {
    demo(handle, { seed: n === 2 ? 8 : 7, users: 40, records: 1500 })
    return contentsOf(handle)
  })
  expect(second).toEqual(first)
  for (const table of ['users', 'records', 'activities', 'likes', 'follows', 'statuses'])
    expect([table, third?.[table] === first?.[table]]).toEqual([table, false])
  for (const store of stores) store.close()
})

test('a second community is refused, or added without changing the first', async () => {
  const both = await demoStore()
  demo(both.handle, { users: 40, records: 1500 })
  const before = contentsOf(both.handle)
  expect(() => demo(both.handle)).toThrow(
    /^the instance already has users, such as \w+; use --force to add to them$/,
  )
  expect(contentsOf(both.handle)).toEqual(before)
  const tables = [
    'users',
    'records',
    'reviews',
    'statuses',
    'activities',
    'likes',
    'follows',
    'notifications',
    'mutes',
  ]
  const rowsOf = (table: string) => both.rows(`select * from ${table}`)
  const first = tables.map(rowsOf)
  demo(both.handle, { force: true, users: 20, records: 500 })
  for (const [n, table] of tables.entries()) {
    const now = new Set(rowsOf(table).map((row) => JSON.stringify(row)))
    expect([table, (first[n] ?? []).filter((row) => !now.has(JSON.stringify(row)))]).toEqual([table, []])
  }
  expect(both.rows('select 1 from users')).toHaveLength(60)
  expect(both.rows('select 1 from records')).toHaveLength(2000)
  expect(findDrift(both.handle)).toEqual([])
  both.close()
})

test('a user may have watched everything there is, several times (D35)', async () => {
  const small = await catalogueStore()
  await small.load('mine', [
    work('w:1', { broadcast: { begin: '2020-01-01T00:00:00Z', interval: 'P7D' } }),
    ...Array.from({ length: episodes }, (_, k) => episode(`w:1-${k}`, 'w:1', k + 1)),
  ])
  demo(small.handle, { users: 1, records: 100 })
  expect(small.rows('select 1 from records')).toHaveLength(100)
  expect(small.rows('select 1 from follows union all select 1 from likes')).toEqual([])
  expect(findDrift(small.handle)).toEqual([])
  small.close()
})
