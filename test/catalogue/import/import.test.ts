import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  type CatalogueStore,
  catalogueStore,
  episode,
  header,
  now,
  work,
} from '../../support/catalogue-store'

let store: CatalogueStore
beforeEach(async () => {
  store = await catalogueStore()
})
afterEach(() => store.close())

test('D3 a row keeps its Annict number if it is free; everything else starts at 10,000,001', async () => {
  await store.load('mine', [
    work('annict:4168', { ids: { annict: 4168 } }),
    work('mine:1'),
    work('annict:20000000'),
    work('mine:2', { ids: { annict: 7 } }),
  ])
  const ids = store.rows<{ id: number }>('select id from works order by id').map(({ id }) => id)
  expect(ids).toEqual([7, 4168, 10_000_001, 10_000_002])
})

test('D3 a pack that does not ask for it keeps no numbers', async () => {
  await store.load(header('mine', { preserve_ids: [] }), [work('annict:4168')])
  expect(store.row('select id from works')).toEqual({ id: 10_000_001 })
})

test('D3 an id is never assigned twice, even after an estimated episode was deleted', async () => {
  await store.load('guess', [work('a:1', { episodes_estimate: 2 })])
  const before = store.rows<{ id: number }>('select id from episodes').map(({ id }) => id)
  await store.load('real', [episode('r:1', 'a:1', 1)])
  const after = store.rows<{ id: number }>('select id from episodes').map(({ id }) => id)
  expect(after.filter((id) => before.includes(id))).toEqual([])
  expect(Math.min(...after)).toBeGreaterThan(Math.max(...before))
})

test('a second import of the same file changes nothing', async () => {
  const rows = [work('a:1', { aliases: ['x'] }), episode('e:1', 'a:1', 1)]
  await store.load('mine', rows)
  const before = store.rows('select * from works')
  const report = await store.load('mine', rows)
  expect(report.counts.work).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
  expect(report.counts.episode).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
  expect(store.rows('select * from works')).toEqual(before)
})

test('a dry run yields the same report and changes nothing', async () => {
  const rows = [work('a:1'), episode('e:1', 'a:1', 1)]
  const dry = await store.load('mine', rows, { dryRun: true })
  expect(store.rows('select id from works')).toEqual([])
  expect(store.rows("select id from sources where name = 'mine'")).toEqual([])
  expect(await store.load('mine', rows)).toEqual(dry)
  expect(store.rows('select id from works')).toHaveLength(1)
})

test('a file with one bad line changes nothing, and every bad line is reported', async () => {
  const report = await store.load('mine', [
    work('a:1'),
    work('a:2', { media: 'radio' }),
    work('a:3', { released_on: '2024-02-30' }),
  ])
  expect(report.failed).toBe(true)
  expect(report.problems.map(({ line }) => line)).toEqual([3, 4])
  expect(report.problems[0]?.message).toBe('media must be one of tv, ova, movie, web, other')
  expect(store.rows('select id from works')).toEqual([])
})

test('an absent field stays, null clears it, "" says that it is blank', async () => {
  const title = () => store.row<{ title_kana: string }>('select title_kana from works').title_kana
  await store.load('mine', [work('a:1', { title_kana: 'かな' })])
  await store.load('mine', [work('a:1', { title_en: 'English' })])
  expect(title()).toBe('かな')
  await store.load('mine', [work('a:1', { title_kana: '' })])
  await store.load('other-pack', [work('a:1', { title_kana: 'よそ' })], { source: 'bangumi-data' })
  expect(title()).toBe('')
  await store.load('mine', [work('a:1', { title_kana: null })])
  await store.load('other-pack', [work('a:1', { title_kana: 'よそ', title_ro: 'x' })], {
    source: 'bangumi-data',
  })
  expect(title()).toBe('よそ')
})

test('a source of lower priority overwrites nothing, but fills in blanks', async () => {
  await store.load('annict', [work('a:1', { title: 'Annict' })])
  const report = await store.load('bangumi-data', [work('a:1', { title: 'Bangumi', title_en: 'English' })])
  expect(report.counts.work).toMatchObject({ updated: 1, conflict: 1 })
  expect(store.row('select title, title_en from works')).toEqual({ title: 'Annict', title_en: 'English' })
})

test('a source of higher priority overwrites, and owns what it confirmed', async () => {
  await store.load('bangumi-data', [work('a:1', { title: 'One', title_en: 'Same' })])
  await store.load('annict', [work('a:1', { title: 'Two', title_en: 'Same' })])
  const report = await store.load('bangumi-data', [work('a:1', { title: 'Three', title_en: 'Other' })])
  expect(report.counts.work).toMatchObject({ unchanged: 1, conflict: 1 })
  expect(store.row('select title, title_en from works')).toEqual({ title: 'Two', title_en: 'Same' })
})

test('of two sources with equal priority, the later one wins', async () => {
  await store.load('one', [work('a:1', { title: 'One' })])
  await store.load('two', [work('a:1', { title: 'Two' })])
  expect(store.row('select title from works')).toEqual({ title: 'Two' })
})

test('what an administrator changed stays', async () => {
  await store.load('annict', [work('a:1')])
  await store.load('edit', [work('a:1', { title: 'Edited' })], { source: 'admin' })
  await store.load('annict', [work('a:1', { title: 'Renamed' })])
  expect(store.row('select title from works')).toEqual({ title: 'Edited' })
})

test('a change increases the row’s version, a line that says the same does not', async () => {
  const version = () => store.row<{ version: number }>('select version from works').version
  await store.load('one', [work('a:1')])
  const before = version()
  await store.load('one', [work('a:1', { title_kana: null })])
  expect(version()).toBe(before)
  await store.load('one', [work('a:1', { title: 'New' })])
  expect(version()).toBeGreaterThan(before)
})

test('aliases, series and streams are stored by source', async () => {
  await store.load('one', [
    { type: 'series', key: 's:1', name: 'Series' },
    work('a:1', { aliases: ['x', 'y'], series: ['s:1'], streams: [{ site: 'netflix', id: '1' }] }),
  ])
  await store.load('two', [work('a:1', { aliases: ['y', 'z'] })])
  await store.load('one', [work('a:1', { aliases: ['x'], series: [], streams: [] })])
  const aliases = store.rows<{ title: string }>('select distinct title from work_aliases order by title')
  expect(aliases.map(({ title }) => title)).toEqual(['x', 'y', 'z'])
  expect(store.rows('select * from series_works')).toEqual([])
  expect(store.rows('select * from streams')).toEqual([])
})

test('D40 an episode that moves to another work moves its count', async () => {
  await store.load('one', [work('a:1'), work('a:2'), episode('e:1', 'a:1', 1)])
  await store.load('one', [episode('e:1', 'a:2', 1)])
  expect(store.rows('select episodes_count as n from works order by id')).toEqual([{ n: 0 }, { n: 1 }])
})

test('a cast without a name is credited under its person’s name', async () => {
  await store.load('one', [
    work('a:1'),
    { type: 'character', key: 'c:1', name: 'Hero' },
    { type: 'person', key: 'p:1', name: 'Voice', prefecture: '東京都', gender: 'female' },
    { type: 'cast', work: 'a:1', character: 'c:1', person: 'p:1', sort_number: 10 },
  ])
  expect(store.row('select name from casts')).toEqual({ name: 'Voice' })
  expect(store.row('select prefecture_id as code, casts_count as n from people')).toEqual({ code: 13, n: 1 })
})

test('the prefectures that a line may name are those of the database', async () => {
  const { prefecture } = await import('../../../src/catalogue/import/kinds/cells')
  for (const { id, name } of store.rows<{ id: number; name: string }>('select id, name from prefectures')) {
    expect(prefecture.take(name)).toBe(id)
  }
})

test('progress is reported while lines are read', async () => {
  const told: number[] = []
  await store.load('one', [work('a:1'), work('a:2')], { now, onProgress: (lines) => told.push(lines) })
  expect(told.at(-1)).toBe(3)
})
