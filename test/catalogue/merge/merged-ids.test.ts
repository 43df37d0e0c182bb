import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { importCatalogue } from '../../../src/catalogue/import/import-catalogue'
import { bytesOf, episode, header, textOf, work } from '../../support/catalogue-store'
import { type Body, createInstance, type Instance } from '../../support/instance'

/** Rows 2 of every kind are merged into rows 1; episode 20 of work 2 is the first, like 10 of work 1. */
const rows = [
  work('annict:1', { title: 'Stays' }),
  work('annict:2', { title: 'Goes' }),
  episode('annict:10', 'annict:1', 1),
  episode('annict:20', 'annict:2', 1),
  episode('annict:21', 'annict:2', 2),
  ...[1, 2].flatMap((n) => [
    ...['series', 'character', 'person', 'organization', 'channel'].map((type) => ({
      type,
      key: `annict:${n}`,
      name: `${type} ${n}`,
    })),
    { type: 'cast', key: `annict:${n}`, work: 'annict:1', character: `annict:${n}`, person: `annict:${n}` },
    { type: 'staff', key: `annict:${n}`, work: 'annict:1', person: `annict:${n}`, role: 'music' },
    {
      type: 'program',
      key: `annict:${n}`,
      channel: `annict:${n}`,
      work: `annict:${n}`,
      started_at: '2026-04-01T12:00:00Z',
    },
  ]),
]
const merged = [
  'work',
  'series',
  'character',
  'person',
  'organization',
  'channel',
  'cast',
  'staff',
  'program',
]
const merges = merged.map((type) => ({ type, key: 'annict:2', merged_into: 'annict:1' }))

let instance: Instance
beforeAll(async () => {
  instance = await createInstance({
    seed: async ({ handle }) => {
      handle.run(`insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
        values (1, 'mio', 'mio', 'みお', 'm@example.com', 'm@example.com', 'none', 0)`)
    },
  })
  const { store, clock } = instance
  const load = async (lines: readonly object[]) => {
    const text = textOf(header('annict'), lines)
    const report = await importCatalogue(store, bytesOf(text, 4096), { now: clock.now })
    expect(report.problems).toEqual([])
  }
  await load(rows)
  await load(merges)
})
afterAll(async () => {
  expect(findDrift(instance.store.handle)).toEqual([])
  await instance.close()
})

const send = (method: string, path: string, values: Readonly<Record<string, string | number>>) => {
  const query = Object.entries(values).map(([name, value]) => `${name}=${value}`)
  return instance.get(`${path}?${query.join('&')}`, { method })
}

test.each([
  ['works', '/v1/works?filter_ids=2', [1]],
  ['works, once by both ids', '/v1/works?filter_ids=1,2', [1]],
  ['works that are no more and never were', '/v1/works?filter_ids=2,404', [1]],
  ['episodes', '/v1/episodes?filter_ids=20,21&sort_id=asc', [10, 21]],
  ['episodes by work', '/v1/episodes?filter_work_id=2&sort_id=asc', [10, 21]],
  ['series', '/v1/series?filter_ids=2', [1]],
  ['characters', '/v1/characters?filter_ids=2', [1]],
  ['people', '/v1/people?filter_ids=2', [1]],
  ['organizations', '/v1/organizations?filter_ids=2', [1]],
  ['casts', '/v1/casts?filter_ids=2', [1]],
  ['casts by work', '/v1/casts?filter_work_id=2', [1]],
  ['staffs', '/v1/staffs?filter_ids=2', [1]],
  ['staffs by work', '/v1/staffs?filter_work_id=2', [1]],
  ['channels', '/v1/me/channels?filter_ids=2', [1]],
])('D67 the old id of a merged row finds the row it is part of: %s', async (_, target, ids) => {
  const page: Body = await instance.json(target)
  const [list] = Object.values(page).filter(Array.isArray)
  expect(list?.map(({ id }: Body) => id)).toEqual(ids)
  expect(page.total_count).toBe(ids.length)
})

test('D67 a write that names a merged work or episode affects the survivor', async () => {
  expect((await send('POST', '/v1/me/statuses', { work_id: 2, kind: 'watching' })).status).toBe(204)
  const mine: Body = await instance.json('/v1/me/works?filter_ids=2&fields=id')
  expect(mine.works).toEqual([{ id: 1 }])
  const review = await send('POST', '/v1/me/reviews', { work_id: 2, body: 'good' })
  expect(((await review.json()) as Body).work.id).toBe(1)
  const record = await send('POST', '/v1/me/records', { episode_id: 20 })
  const recorded: Body = await record.json()
  expect([recorded.episode.id, recorded.work.id]).toEqual([10, 1])
  for (const filter of ['filter_episode_id=20', 'filter_work_id=2']) {
    const { records }: Body = await instance.json(`/v1/records?${filter}`)
    expect(records.map(({ id }: Body) => id)).toEqual([recorded.id])
  }
  const { reviews }: Body = await instance.json('/v1/reviews?filter_work_id=2')
  expect(reviews).toHaveLength(1)
})

test('D67 a bulk request with an episode’s old and new id makes one record', async () => {
  const bulk = await send('POST', '/v1/me/records/bulk', { episode_ids: '21,20,10' })
  const { records }: Body = await bulk.json()
  expect(records.map(({ episode: { id } }: Body) => id)).toEqual([21, 10])
})

test('D67 favorites and channels are added and removed by the old id', async () => {
  const rowsOf = (table: string) => instance.store.handle.query(`select * from ${table}`).all()
  for (const name of ['character_id', 'person_id', 'organization_id']) {
    expect((await send('POST', '/v1/me/favorites', { [name]: 2 })).status).toBe(204)
    expect(rowsOf('favorites')).toMatchObject([{ [name]: 1 }])
    expect((await send('DELETE', '/v1/me/favorites', { [name]: 2 })).status).toBe(204)
    expect(rowsOf('favorites')).toEqual([])
  }
  expect((await send('POST', '/v1/me/channels', { channel_id: 2 })).status).toBe(204)
  const target = '/v1/me/programs?filter_channel_ids=2&filter_work_ids=2'
  expect(((await instance.json(target)) as Body).programs).toMatchObject([{ id: 1, channel: { id: 1 } }])
  expect((await send('DELETE', '/v1/me/channels', { channel_id: 2 })).status).toBe(204)
  expect(rowsOf('user_channels')).toEqual([])
})

test('D67 a status is removed by the old id, and an unknown id is not found', async () => {
  expect((await send('POST', '/v1/me/statuses', { work_id: 404, kind: 'no_select' })).status).toBe(404)
  expect((await send('POST', '/v1/me/statuses', { work_id: 2, kind: 'no_select' })).status).toBe(204)
  expect(((await instance.json('/v1/me/works')) as Body).total_count).toBe(0)
})
