import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { createFeeds } from '../../src/library/feed/feed'
import { createInstance } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const read = kiroku.store.readAs(1)
const [mio, ritsu, azusa] = [1, 2, 4]
afterAll(kiroku.close)

beforeAll(async () => {
  const people = await Promise.all(['mio', 'Ritsu_T', 'azusa'].map((name) => personOf(kiroku, name)))
  for (const person of people) {
    for (let n = 0; n < 20; n++) await person.send('POST', '/v1/me/records', { episode_id: 1 })
    for (const username of ['mio', 'azusa']) await person.send('POST', '/v1/me/follows', { username })
  }
})

/** How many activities feeds read from the database, one feed after another. */
async function readFor(feeds: ReturnType<typeof createFeeds>, viewers: readonly number[]): Promise<number[]> {
  const query = spyOn(read, 'executeQuery')
  const counts: number[] = []
  for (const viewer of viewers) {
    query.mockClear()
    await feeds.of({ follower: viewer, mutedBy: 0, own: 0 }, read)
    const results = await Promise.all(query.mock.results.map(({ value }) => value))
    const rows = results.flatMap((result) => (result as { rows: unknown[] } | undefined)?.rows ?? [])
    counts.push(rows.filter((row) => typeof row === 'object' && row !== null && 'action' in row).length)
  }
  query.mockRestore()
  return counts
}

test('a cached feed is not read again', async () => {
  const [first = 0, again] = await readFor(createFeeds(), [mio, mio])
  expect(first).toBeGreaterThanOrEqual(20)
  expect(again).toBe(0)
})

test('feeds are cached up to a number of activities, the least recently read are evicted (promise 12)', async () => {
  const [all = 0] = await readFor(createFeeds(), [mio])
  // Room for two feeds, not for three.
  const room = Math.round(2.5 * (all + 100))
  const counts = await readFor(createFeeds(room), [mio, ritsu, mio, ritsu, azusa, azusa, ritsu, mio])
  expect(counts.map((count) => count > 0)).toEqual([true, true, false, false, true, false, false, true])
})

test('empty feeds count too (promise 12)', async () => {
  const feeds = createFeeds(500)
  const strangers = Array.from({ length: 50 }, (_, n) => 1000 + n)
  await readFor(feeds, [mio, ...strangers])
  const [again = 0] = await readFor(feeds, [mio])
  expect(again).toBeGreaterThan(0)
})
