import { afterEach, beforeEach, expect, test } from 'bun:test'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { searchDrift } from '../../../src/catalogue/counters/search-drift'
import { type CatalogueStore, catalogueStore, episode, header, work } from '../../support/catalogue-store'

let store: CatalogueStore
beforeEach(async () => {
  store = await catalogueStore()
})
afterEach(() => {
  expect(findDrift(store.handle)).toEqual([])
  expect(searchDrift(store.handle)).toEqual([])
  store.close()
})

const shown = (table: string) => store.rows(`select id from ${table} where hidden = 0`).length
const snapshot = header('mine', { mode: 'snapshot' })

test('D42 a source may not hide what one of higher priority shows', async () => {
  await store.load('annict', [work('a:1')])
  const report = await store.load('mine', [{ type: 'work', key: 'a:1', deleted: true }])
  expect(report.counts.work).toMatchObject({ conflict: 1, deleted: 0 })
  expect(shown('works')).toBe(1)
})

test('D42 a deleted work is hidden with everything that belongs to it, and comes back', async () => {
  const rows = [work('a:1'), episode('e:1', 'a:1', 1)]
  await store.load('mine', rows)
  const report = await store.load('mine', [{ type: 'work', key: 'a:1', deleted: true }])
  expect(report.counts.work).toMatchObject({ deleted: 1 })
  expect(store.row('select hidden from works')).toEqual({ hidden: 1 })
  expect(store.row('select hidden from episodes')).toEqual({ hidden: 2 })
  await store.load('mine', rows)
  expect(store.row('select hidden from episodes')).toEqual({ hidden: 0 })
})

test('a new episode of a hidden work is hidden from the start', async () => {
  await store.load('mine', [work('a:1')])
  await store.load('mine', [{ type: 'work', key: 'a:1', deleted: true }])
  await store.load('mine', [episode('e:1', 'a:1', 1)])
  expect(store.row('select hidden from episodes')).toEqual({ hidden: 2 })
})

test('deleting an unknown row does no harm', async () => {
  const report = await store.load('mine', [{ type: 'person', key: 'p:404', deleted: true }])
  expect(report.failed).toBe(false)
  expect(report.counts.person).toMatchObject({ unchanged: 1 })
})

test('a row hidden by an administrator stays hidden', async () => {
  await store.load('annict', [work('a:1')])
  await store.load('edit', [{ type: 'work', key: 'a:1', deleted: true }], { source: 'admin' })
  await store.load('annict', [work('a:1', { title: 'New' })])
  expect(shown('works')).toBe(0)
})

test('a snapshot that would hide more than a tenth is refused unless forced', async () => {
  const rows = Array.from({ length: 10 }, (_, n) => work(`a:${n}`))
  await store.load(snapshot, rows)
  const report = await store.load(snapshot, rows.slice(2))
  expect(report.failed).toBe(true)
  expect(report.problems).toEqual([
    {
      line: 0,
      message:
        'this snapshot would hide 2 of 10 rows of type work, which is more than 10 %: force it if that is meant',
    },
  ])
  expect(shown('works')).toBe(10)
  const forced = await store.load(snapshot, rows.slice(2), { force: true })
  expect(forced.counts.work).toMatchObject({ deleted: 2, unchanged: 8 })
  expect(shown('works')).toBe(8)
})

test('a snapshot hides what it no longer lists, and what comes back is shown again', async () => {
  const rows = Array.from({ length: 20 }, (_, n) => work(`a:${n}`))
  await store.load(snapshot, rows)
  expect((await store.load(snapshot, rows.slice(1))).counts.work).toMatchObject({ deleted: 1 })
  expect((await store.load(snapshot, rows)).counts.work).toMatchObject({ updated: 1, unchanged: 19 })
  expect(shown('works')).toBe(20)
})

test('a snapshot does not hide what another source contributes to, nor what it changed', async () => {
  const rows = Array.from({ length: 40 }, (_, n) => work(`a:${n}`))
  await store.load(snapshot, rows)
  await store.load('edit', [work('a:0', { title: 'Edited' })], { source: 'admin' })
  await store.load('other', [work('a:1')])
  const changed = rows.slice(2).map((row, n) => (n === 0 ? { ...row, title: 'Changed' } : row))
  const report = await store.load(snapshot, changed)
  expect(report.counts.work).toMatchObject({ deleted: 0, updated: 1 })
  expect(shown('works')).toBe(40)
})

test('D40 a merged work gives everything that belongs to it to the other and redirects there', async () => {
  await store.load('mine', [
    work('annict:1', { title: 'Stays' }),
    work('annict:2', { title: 'Goes', aliases: ['Alias'], ids: { mal: 5 }, streams: [{ site: 'x' }] }),
    episode('e:1', 'annict:2', 1),
    { type: 'person', key: 'p:1', name: 'P' },
    { type: 'staff', work: 'annict:2', person: 'p:1', role: 'music' },
  ])
  const merge = { type: 'work', key: 'annict:2', merged_into: 'annict:1' }
  const report = await store.load('mine', [merge])
  expect(report.counts.work).toMatchObject({ merged: 1 })
  expect(store.row('select work_id, hidden from episodes')).toEqual({ work_id: 1, hidden: 0 })
  expect(store.row('select work_id from staffs')).toEqual({ work_id: 1 })
  expect(store.row('select hidden from works where id = 2')).toEqual({ hidden: 1 })
  expect(store.row('select * from redirects')).toEqual({ kind: 'work', from_id: 2, to_id: 1 })
  expect(store.rows('select work_id, title from work_aliases order by title')).toEqual([
    { work_id: 1, title: 'Alias' },
    { work_id: 1, title: 'Goes' },
  ])
  await store.load('mine', [episode('e:2', 'annict:2', 2), episode('e:3', 'mal:5', 3)])
  expect(store.rows('select distinct work_id from episodes')).toEqual([{ work_id: 1 }])
})

test('what a pack still says about a merged row does not affect the other one', async () => {
  const rows = [work('annict:1', { title: 'Stays' }), work('annict:2', { title: 'Goes' })]
  await store.load('mine', rows)
  await store.load('edit', [{ type: 'work', key: 'annict:2', merged_into: 'annict:1' }], { source: 'admin' })
  const changed = [work('annict:2', { title: 'Goes on' }), work('annict:1', { title: 'Stays here' })]
  const report = await store.load('mine', changed)
  expect(report.problems).toEqual([])
  expect(store.row('select title from works where hidden = 0')).toEqual({ title: 'Stays here' })
})

test('a merge into an unknown row is refused, one of an unknown row only passes on its name', async () => {
  const refused = await store.load('mine', [work('a:1'), { type: 'work', key: 'a:1', merged_into: 'a:404' }])
  expect(refused.problems).toEqual([{ line: 3, message: 'work "a:1": work "a:404" is unknown' }])
  const report = await store.load('mine', [work('a:1'), { type: 'work', key: 'a:2', merged_into: 'a:1' }])
  expect(report.counts.work).toMatchObject({ created: 1, unchanged: 1 })
  await store.load('mine', [episode('e:1', 'a:2', 1)])
  expect(store.rows('select work_id from episodes')).toHaveLength(1)
})

test('merges of merged rows lead to the last one', async () => {
  await store.load('mine', [work('annict:1'), work('annict:2'), work('annict:3')])
  await store.load('mine', [{ type: 'work', key: 'annict:1', merged_into: 'annict:2' }])
  await store.load('mine', [{ type: 'work', key: 'annict:2', merged_into: 'annict:3' }])
  expect(store.rows('select from_id, to_id from redirects')).toEqual([
    { from_id: 1, to_id: 3 },
    { from_id: 2, to_id: 3 },
  ])
})

test('people, characters, organizations, series, channels and groups can be merged too', async () => {
  await store.load('mine', [
    ...['series', 'person', 'organization', 'character'].flatMap((type) =>
      [1, 2].map((n) => ({ type, key: `annict:${n}`, name: `${type} ${n}` })),
    ),
    ...['channel_group', 'channel'].flatMap((type) =>
      [1, 2].map((n) => ({ type, key: `annict:${n}`, name: `${n}` })),
    ),
    work('w:1', { series: ['annict:2'] }),
    { type: 'staff', work: 'w:1', organization: 'annict:2', role: 'studio' },
    { type: 'cast', work: 'w:1', character: 'annict:2', person: 'annict:2' },
    { type: 'program', key: 'g:1', channel: 'annict:2', work: 'w:1', started_at: '2024-01-05T15:00:00Z' },
  ])
  const types = ['series', 'person', 'organization', 'character', 'channel_group', 'channel']
  const report = await store.load(
    'mine',
    types.map((type) => ({ type, key: 'annict:2', merged_into: 'annict:1' })),
  )
  expect(report.problems).toEqual([])
  expect(store.row('select organization_id from staffs')).toEqual({ organization_id: 1 })
  expect(store.row('select character_id, person_id from casts')).toEqual({ character_id: 1, person_id: 1 })
  expect(store.row('select channel_id from programs')).toEqual({ channel_id: 1 })
  expect(store.row('select series_id from series_works')).toEqual({ series_id: 1 })
})
