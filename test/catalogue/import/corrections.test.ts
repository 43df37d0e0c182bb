import { afterEach, beforeEach, expect, test } from 'bun:test'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { type CatalogueStore, catalogueStore, episode, work } from '../../support/catalogue-store'

let store: CatalogueStore
beforeEach(async () => {
  store = await catalogueStore()
})
afterEach(() => {
  expect(findDrift(store.handle)).toEqual([])
  store.close()
})

const from = 'corrections/kiroku.example.net'
const titles = () => store.rows('select title, title_kana from works order by id')
const owner = (column: string) =>
  store.row<{ name: string | null }>(
    `select (select name from sources where id = ifnull(owners ->> '$.${column}', source_id)) as name from works`,
  ).name

test('D98: a field that still is what it was is taken, above every source and below what is by hand', async () => {
  await store.load('annict', [work('annict:1', { title: 'Wrong', title_kana: 'まちがい' })])
  const line = {
    type: 'work',
    key: 'annict:1',
    title: 'Right',
    was: { title: 'Wrong' },
    reason: 'see the site',
  }
  const { corrections, warnings } = await store.load(from, [line])
  expect(corrections).toEqual({ taken: 1, left: 0, needless: 0, unknown: 0, notes: [] })
  expect(warnings).toEqual([])
  expect(titles()).toEqual([{ title: 'Right', title_kana: 'まちがい' }])
  expect(owner('title')).toBe(from)
  await store.load('annict', [work('annict:1', { title: 'Wrong again', title_kana: 'よみ' })])
  expect(titles()).toEqual([{ title: 'Right', title_kana: 'よみ' }])
  await store.load('admin', [work('annict:1', { title: 'By hand' })])
  const later = await store.load(from, [{ ...line, title: 'Righter', was: { title: 'By hand' } }])
  expect(later.counts.work).toMatchObject({ conflict: 1 })
  expect(later.corrections).toMatchObject({ taken: 0, left: 1 })
  expect(titles()).toEqual([{ title: 'By hand', title_kana: 'よみ' }])
})

test('D98: a field of another value is left and counted, one that is right already is no longer needed', async () => {
  await store.load('annict', [work('annict:1', { title: 'Right', title_kana: 'べつ', title_en: 'English' })])
  const line = {
    ...{ type: 'work', key: 'annict:1', title: 'Right', title_kana: 'よみ', title_en: null },
    was: { title: 'Wrong', title_kana: 'まちがい', title_en: 'English' },
  }
  const { corrections } = await store.load(from, [line])
  expect(corrections).toEqual({
    ...{ taken: 1, left: 1, needless: 1, unknown: 0 },
    notes: [
      'work "annict:1": title is "Right" already',
      'work "annict:1": title_kana is left, as it is "べつ" here',
    ],
  })
  expect(store.row('select title, title_kana, title_en from works')).toEqual({
    ...{ title: 'Right', title_kana: 'べつ', title_en: '' },
  })
  // What was cleared stays blank.
  await store.load('annict', [
    work('annict:1', { title: 'Right', title_kana: 'べつ', title_en: 'English again' }),
  ])
  expect(store.row('select title_en from works')).toEqual({ title_en: '' })
})

test('D98: corrections are taken once; what was left is looked at again, and a newer correction of the same instance is taken', async () => {
  await store.load('annict', [work('annict:1', { title: 'Wrong', title_kana: 'べつ' })])
  const line = { type: 'work', key: 'annict:1', title: 'Right', was: { title: 'Wrong' } }
  await store.load(from, [line])
  const again = await store.load(from, [line])
  expect(again.counts.work).toMatchObject({ updated: 0, unchanged: 1 })
  expect(again.corrections).toMatchObject({ taken: 0, left: 0, needless: 0 })
  const more = {
    ...line,
    title: 'Righter',
    title_kana: 'よみ',
    was: { title: 'Wrong', title_kana: 'まちがい' },
  }
  expect((await store.load(from, [more])).corrections).toMatchObject({ taken: 0, left: 1 })
  expect(titles()).toEqual([{ title: 'Righter', title_kana: 'べつ' }])
  await store.load('annict', [work('annict:1', { title: 'Wrong', title_kana: 'まちがい' })])
  expect((await store.load(from, [more])).corrections).toMatchObject({ taken: 1, left: 0 })
  expect(titles()).toEqual([{ title: 'Righter', title_kana: 'よみ' }])
})

test('D98: what is not known here is counted and not made, and is taken once it is known', async () => {
  const lines = [
    { type: 'work', key: 'annict:1', title: 'Right', was: { title: 'Wrong' } },
    { type: 'episode', key: 'annict:11', work: 'annict:1', title: 'Right', was: { title: 'Wrong' } },
  ]
  const report = await store.load(from, lines)
  expect(report.failed).toBe(false)
  expect(report.corrections).toMatchObject({
    ...{ taken: 0, unknown: 2 },
    notes: ['work "annict:1": is not known here', 'episode "annict:11": is not known here'],
  })
  expect(titles()).toEqual([])
  await store.load('mine', [
    work('x:1', { ids: { annict: 1 }, title: 'Wrong' }),
    episode('x:11', 'x:1', 1, { ids: { annict: 11 }, title: 'Wrong' }),
  ])
  expect((await store.load(from, lines)).corrections).toMatchObject({ taken: 2, unknown: 0 })
  expect(store.rows('select title from episodes')).toEqual([{ title: 'Right' }])
})

test('D98: ids identify a row, and are corrected only if the line says what they were', async () => {
  await store.load('mine', [
    work('x:1', { ids: { annict: 1, mal: 5, anilist: 6 } }),
    work('x:2', { ids: { annict: 2, mal: 7 } }),
  ])
  const { corrections } = await store.load(from, [
    { type: 'work', key: 'other:1', ids: { annict: 1, mal: 50, anilist: 60 }, was: { ids: { anilist: 6 } } },
    { type: 'work', key: 'other:2', ids: { annict: 2, anilist: 8 }, was: { ids: { mal: 7, anilist: null } } },
  ])
  expect(corrections).toMatchObject({ taken: 2, left: 0, needless: 0, unknown: 0 })
  const ids = `select external_id from external_ids where kind = 'work' and is_key = 0`
  expect(store.rows(`${ids} and ns = 'anilist' order by local_id`)).toEqual([
    { external_id: '60' },
    { external_id: '8' },
  ])
  expect(store.rows('select mal_anime_id from works order by id')).toEqual([
    { mal_anime_id: '5' },
    { mal_anime_id: '7' },
  ])
})

test('D98: names that were removed go and stay away, those that were added come; what is by hand here stays', async () => {
  const pack = () => [
    work('annict:1', { aliases: ['Wrong', 'Known', 'Mine too'] }),
    { type: 'series', key: 's:1', name: 'S' },
  ]
  await store.load('annict', pack())
  await store.load('admin', [work('annict:1', { aliases: ['Mine too'] })])
  const line = {
    ...{ type: 'work', key: 'annict:1', aliases: ['New', 'Known'], series: ['s:1'] },
    was: { aliases: ['Wrong', 'Mine too', 'Gone'], series: [] },
  }
  const { corrections } = await store.load(from, [line])
  expect(corrections).toMatchObject({ taken: 3, left: 1, needless: 2 })
  await store.load('annict', [...pack(), work('annict:2')])
  const aliases = 'select distinct title from work_aliases where work_id = 1 order by title'
  expect(store.rows(aliases)).toEqual([{ title: 'Known' }, { title: 'Mine too' }, { title: 'New' }])
  expect(store.rows('select work_id from series_works')).toEqual([{ work_id: 1 }])
})

test('D98: a work made by hand is found by its ids or by title, medium and year, and fills what is blank; else it is made', async () => {
  await store.load('annict', [
    work('annict:1', { title: '極光の旅', season_name: '2026-autumn', ids: { mal: 7 } }),
    work('annict:2', { title: 'オーロラ　第２期', season_name: '2026-summer' }),
  ])
  const made = (n: number, more: object) => ({
    ...{ type: 'work', key: `by-kiroku-example-net:work/${n}`, title: '極光の旅', media: 'tv' },
    ...{ season_name: '2026-autumn', title_kana: 'よみ', ...more },
  })
  const lines = [
    made(1, { ids: { mal: 7 }, title: '極光のたび' }),
    made(2, { title: 'オーロラ 2期', season_name: '2026-summer' }),
    made(3, { title: '別の旅' }),
  ]
  const { corrections } = await store.load(from, lines)
  expect(corrections).toMatchObject({ taken: 2, left: 2, unknown: 0 })
  expect(store.rows('select title, title_kana from works order by id')).toEqual([
    { title: '極光の旅', title_kana: 'よみ' },
    { title: 'オーロラ　第２期', title_kana: 'よみ' },
    { title: '別の旅', title_kana: 'よみ' },
  ])
  await store.load(from, [made(3, { title: '別の旅 改' })])
  expect(store.rows('select title from works where id > 2')).toEqual([{ title: '別の旅 改' }])
})

test('D98: a wrong cast is found by what it was, and a work that was taken out comes back only if the line says so', async () => {
  await store.load('annict', [
    work('annict:1'),
    work('annict:2', { deleted: true }),
    ...['a', 'b'].map((name) => ({ type: 'person', key: `p:${name}`, name })),
    { type: 'character', key: 'c:1', name: 'C' },
    { type: 'cast', work: 'annict:1', character: 'c:1', person: 'p:a' },
  ])
  const cast = { type: 'cast', key: 'by-x:cast/1', work: 'annict:1', character: 'c:1', person: 'p:b' }
  const { corrections } = await store.load(from, [
    { ...cast, was: { person: 'p:a' } },
    { type: 'work', key: 'annict:1', deleted: true, was: { deleted: false } },
    { type: 'work', key: 'annict:2', title: 'Right', was: { title: 'Work annict:2' } },
  ])
  expect(corrections).toMatchObject({ taken: 3, left: 0, unknown: 0 })
  const credited = 'select people.name from casts join people on people.id = person_id'
  expect(store.rows(credited)).toEqual([{ name: 'b' }])
  expect(store.rows('select title, hidden from works order by id')).toEqual([
    { title: 'Work annict:1', hidden: 1 },
    { title: 'Right', hidden: 1 },
  ])
  await store.load(from, [{ type: 'work', key: 'annict:2', was: { deleted: true } }])
  expect(store.rows('select hidden from works order by id')).toEqual([{ hidden: 1 }, { hidden: 0 }])
})

test.each([
  [{ was: 'x' }, 'was must be an object'],
  [{ was: { media: 'x' } }, 'was.media must be'],
  [{ was: { ids: [] } }, 'was.ids must be an object'],
  [{ was: { deleted: 1 } }, 'was.deleted must be true or false'],
  [{ was: { aliases: 1 } }, 'was.aliases must be a list'],
])('D98: %j is refused', async (more, rule) => {
  const report = await store.load(from, [{ ...work('annict:1'), ...more }])
  expect(report.problems[0]?.message).toContain(rule)
})
