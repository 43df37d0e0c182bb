import { afterEach, beforeEach, expect, test } from 'bun:test'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { searchDrift } from '../../../src/catalogue/counters/search-drift'
import { unfinishedMerges } from '../../../src/catalogue/import/merge/unfinished'
import { type CatalogueStore, catalogueStore, episode, work } from '../../support/catalogue-store'

let store: CatalogueStore
beforeEach(async () => {
  store = await catalogueStore()
})
afterEach(() => {
  expect(findDrift(store.handle)).toEqual([])
  expect(searchDrift(store.handle)).toEqual([])
  expect(unfinishedMerges(store.handle)).toEqual([])
  store.close()
})

const merge = (type: string, from: number, to: number) =>
  store.load('mine', [{ type, key: `annict:${from}`, merged_into: `annict:${to}` }])
const shownEpisodes = () =>
  store.rows('select id, work_id, number, title from episodes where hidden = 0 order by sort_number, id')
const column = (sql: string) => store.rows<Record<string, unknown>>(sql).map((row) => Object.values(row)[0])

test('D67 a merged work gives its title, its aliases and its ids to the survivor', async () => {
  const ids = { mal: 5, syobocal: 6 }
  await store.load('mine', [
    work('annict:1', { title: 'Stays', ids: { mal: 4 } }),
    work('annict:2', { title: 'Goes', aliases: ['Alias'], ids }),
  ])
  await merge('work', 2, 1)
  expect(store.row('select mal_anime_id, syobocal_tid from works where id = 1')).toEqual({
    mal_anime_id: '4',
    syobocal_tid: '6',
  })
  expect(column('select title from work_aliases where work_id = 1 order by 1')).toEqual(['Alias', 'Goes'])
  const names = "select ns || ':' || external_id from external_ids where local_id = 1 order by 1"
  expect(column(names)).toEqual(['annict:1', 'annict:2', 'mal:4', 'mal:5', 'syobocal:6'])
})

test('D67 what a source says about the survivor’s aliases keeps those of the merged one', async () => {
  await store.load('mine', [work('annict:1'), work('annict:2', { title: 'Goes', aliases: ['Alias'] })])
  await merge('work', 2, 1)
  await store.load('mine', [work('annict:1', { aliases: ['Own'] })])
  expect(column('select distinct title from work_aliases order by 1')).toEqual(['Alias', 'Goes', 'Own'])
})

test('D67 episodes of two works are matched by number, or by text and title if they have none', async () => {
  const special = { number: null, number_text: '特別編' }
  const unnumbered = { number: null, number_text: '', title: '総集編' }
  await store.load('mine', [
    work('annict:1'),
    work('annict:2'),
    episode('annict:11', 'annict:1', 1),
    episode('annict:12', 'annict:1', 3, special),
    episode('annict:13', 'annict:1', 4, unnumbered),
    episode('annict:21', 'annict:2', 1, { number: '１' }),
    episode('annict:22', 'annict:2', 2),
    episode('annict:23', 'annict:2', 5, special),
    episode('annict:24', 'annict:2', 6, unnumbered),
    episode('annict:25', 'annict:2', 7, { number: null, number_text: '' }),
  ])
  await merge('work', 2, 1)
  expect(column('select id from episodes where hidden = 0 order by sort_number, id')).toEqual([
    11, 22, 12, 13, 25,
  ])
  expect(store.row('select episodes_count from works where id = 1')).toEqual({ episodes_count: 5 })
  expect(store.rows("select from_id, to_id from redirects where kind = 'episode' order by 1")).toEqual([
    { from_id: 21, to_id: 11 },
    { from_id: 23, to_id: 12 },
    { from_id: 24, to_id: 13 },
  ])
})

test('D67 of two episodes with the same number in each work, each finds one', async () => {
  await store.load('mine', [
    work('annict:1'),
    work('annict:2'),
    episode('annict:11', 'annict:1', 1),
    episode('annict:21', 'annict:2', 1),
    episode('annict:22', 'annict:2', 1, { sort_number: 15 }),
  ])
  await merge('work', 2, 1)
  expect(shownEpisodes()).toMatchObject([
    { id: 11, work_id: 1 },
    { id: 22, work_id: 1 },
  ])
})

test('D67 a listed episode makes the estimated one that it is merged into a listed one', async () => {
  await store.load('mine', [
    work('annict:1', { episodes_estimate: 2 }),
    work('annict:2'),
    episode('annict:21', 'annict:2', 1, { title: 'First' }),
  ])
  const estimated = column('select id from episodes where work_id = 1 order by sort_number')
  store.handle.run(`update episodes set records_count = 1 where id = ${estimated[0]}`)
  await merge('work', 2, 1)
  expect(store.rows('select id, title, estimated from episodes where hidden = 0')).toEqual([
    { id: estimated[0], title: 'First', estimated: 0 },
  ])
  store.handle.run('update episodes set records_count = 0')
})

test('D67 casts, staff and programs of both works become one', async () => {
  const of = (n: number) => [
    { type: 'cast', work: `annict:${n}`, character: 'c:1', person: 'p:1' },
    { type: 'staff', work: `annict:${n}`, person: 'p:1', role: 'music' },
    {
      type: 'program',
      key: `g:${n}`,
      channel: 'ch:1',
      work: `annict:${n}`,
      episode: `e:${n}`,
      started_at: '2024-01-05T15:00:00Z',
    },
  ]
  await store.load('mine', [
    work('annict:1'),
    work('annict:2'),
    episode('e:1', 'annict:1', 1),
    episode('e:2', 'annict:2', 1),
    { type: 'person', key: 'p:1', name: 'P' },
    { type: 'character', key: 'c:1', name: 'C' },
    { type: 'channel', key: 'ch:1', name: 'TV' },
    ...of(1),
    ...of(2),
  ])
  await merge('work', 2, 1)
  for (const table of ['casts', 'staffs', 'programs']) {
    expect([table, store.rows(`select work_id from ${table} where hidden = 0`)]).toEqual([
      table,
      [{ work_id: 1 }],
    ])
  }
})

test('D67 an incomplete merge by an earlier version is detected, and the next import completes it', async () => {
  const lines = [work('annict:1'), work('annict:2', { title: 'Goes', ids: { mal: 5 } })]
  await store.load('mine', lines)
  await store.load('mine', [episode('e:2', 'annict:2', 1)])
  const handle = store.handle
  handle.run('update works set hidden = 1 where id = 2')
  handle.run("insert into redirects (kind, from_id, to_id) values ('work', 2, 1)")
  const [found] = unfinishedMerges(handle)
  expect(found).toMatchObject({ from: 2, to: 1 })
  expect(found?.left).toEqual(['episodes', 'its names elsewhere', 'its title', 'its mal_anime_id'])
  const report = await store.load('mine', [work('annict:1')])
  expect(report.warnings).toEqual(['1 earlier merges were completed'])
  expect(store.row('select mal_anime_id from works where id = 1')).toEqual({ mal_anime_id: '5' })
  expect(shownEpisodes()).toMatchObject([{ work_id: 1 }])
})

test('D67 a chain of merges that was left with two steps becomes one step', async () => {
  await store.load(
    'mine',
    [1, 2, 3].map((n) => work(`annict:${n}`)),
  )
  await merge('work', 1, 2)
  await merge('work', 2, 3)
  store.handle.run('update redirects set to_id = 2 where from_id = 1')
  const [found] = unfinishedMerges(store.handle)
  expect(found).toMatchObject({ from: 1, to: 3 })
  expect(found?.left).toContain('the ids that lead to it')
  await store.load('mine', [work('annict:3')])
  expect(store.rows('select from_id, to_id from redirects')).toEqual([
    { from_id: 1, to_id: 3 },
    { from_id: 2, to_id: 3 },
  ])
})
