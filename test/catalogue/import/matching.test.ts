import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type CatalogueStore, catalogueStore, episode, header, work } from '../../support/catalogue-store'

let store: CatalogueStore
beforeEach(async () => {
  store = await catalogueStore()
})
afterEach(() => store.close())

const titles = () =>
  store.rows<{ title: string }>('select title from works order by id').map(({ title }) => title)

test('a work is recognized by its ids, the most reliable first', async () => {
  await store.load('one', [work('one:1', { ids: { mal: 5 } }), work('one:2', { ids: { annict: 7 } })])
  const report = await store.load('two', [work('two:1', { title: 'Found', ids: { mal: 5, annict: 7 } })])
  expect(report.counts.work).toMatchObject({ updated: 1 })
  expect(store.row('select title from works where id = 7')).toEqual({ title: 'Found' })
})

test('a work with a different medium is not the same work', async () => {
  await store.load('one', [work('one:1', { ids: { mal: 5 } })])
  const report = await store.load('two', [work('two:1', { media: 'movie', ids: { mal: 5 } })])
  expect(report.counts.work).toMatchObject({ created: 1 })
})

test('an id shared by two works leads to neither', async () => {
  await store.load('one', [work('annict:1', { ids: { mal: 5 } }), work('annict:2', { ids: { mal: 5 } })])
  const report = await store.load('two', [work('two:1', { ids: { mal: 5 } })])
  expect(report.counts.work).toMatchObject({ created: 1 })
})

test('two keys of one pack are two works, whatever ids they share', async () => {
  const rows = [work('annict:1', { ids: { mal: 5 } }), work('annict:2', { ids: { mal: 5 } })]
  const report = await store.load('one', rows)
  expect(report.counts.work).toMatchObject({ created: 2 })
  const later = await store.load('one', [work('annict:3', { ids: { mal: 5 } })])
  expect(later.counts.work).toMatchObject({ created: 1 })
})

test('a less reliable id does not join works that a better one separates', async () => {
  await store.load('one', [work('one:1', { ids: { annict: 1, syobocal: 50 } })])
  const report = await store.load('two', [work('two:1', { ids: { annict: 2, syobocal: 50 } })])
  expect(report.counts.work).toMatchObject({ created: 1 })
})

test('a work that a later line names by key is not matched by an earlier one that shares an id', async () => {
  await store.load('one', [work('bangumi:9', { ids: { mal: 5 } })])
  const report = await store.load('two', [
    work('annict:1', { title: 'Another', ids: { mal: 5 } }),
    work('bangumi:9', { title: 'The same', ids: { mal: 5 } }),
  ])
  expect(report.problems).toEqual([])
  expect(report.counts.work).toMatchObject({ created: 1, updated: 1 })
  expect(titles()).toEqual(['Another', 'The same'])
})

test('a pack may rename the key of a work', async () => {
  await store.load('one', [work('bangumi:9', { ids: { mal: 5, bangumi: 9 } })])
  const report = await store.load('one', [work('annict:1', { ids: { mal: 5, bangumi: 9, annict: 1 } })])
  expect(report.counts.work).toMatchObject({ updated: 1, created: 0 })
})

test('a reference means a key first, otherwise the only row with that id', async () => {
  await store.load('one', [
    work('mal:5', { title: 'key' }),
    work('one:1', { title: 'id', ids: { mal: 5, anilist: 8 } }),
  ])
  await store.load('two', [episode('e:1', 'mal:5', 1), episode('e:2', 'anilist:8', 1)])
  expect(
    store.rows('select title from works where id in (select work_id from episodes) order by title'),
  ).toEqual([{ title: 'id' }, { title: 'key' }])
  expect(
    store.rows('select works.title from episodes join works on works.id = work_id order by episodes.id'),
  ).toEqual([{ title: 'key' }, { title: 'id' }])
})

test('an episode of another pack is recognized by number, otherwise by position', async () => {
  await store.load('one', [
    work('a:1'),
    episode('one:1', 'a:1', 1),
    episode('one:2', 'a:1', 2, { number: null }),
  ])
  const report = await store.load('two', [
    episode('two:1', 'a:1', 1, { title: 'First' }),
    episode('two:2', 'a:1', 2, { title: 'Second' }),
  ])
  expect(report.counts.episode).toMatchObject({ updated: 2, created: 0 })
})

test('two episodes with the same number in one pack stay two', async () => {
  const rows = [
    work('a:1'),
    episode('annict:1', 'a:1', 1),
    episode('annict:2', 'a:1', 1, { sort_number: 20 }),
  ]
  const report = await store.load('one', rows)
  expect(report.counts.episode).toMatchObject({ created: 2 })
})

test('casts, staffs and programs are recognized by what they connect', async () => {
  const base = [
    work('a:1'),
    { type: 'person', key: 'p:1', name: 'P' },
    { type: 'character', key: 'c:1', name: 'C' },
    { type: 'channel', key: 'ch:1', name: 'TV' },
    episode('e:1', 'a:1', 1),
  ]
  const cast = { type: 'cast', work: 'a:1', character: 'c:1', person: 'p:1' }
  const staff = { type: 'staff', work: 'a:1', person: 'p:1', role: 'music' }
  const program = {
    type: 'program',
    channel: 'ch:1',
    work: 'a:1',
    episode: 'e:1',
    started_at: '2024-01-05T15:00:00Z',
  }
  await store.load('one', [...base, cast, staff, { ...staff, role: 'script' }, { ...program, key: 'one:1' }])
  const report = await store.load('two', [
    { ...cast, sort_number: 20 },
    { ...staff, role_text: '音楽担当' },
    { ...program, key: 'two:1', rebroadcast: true },
  ])
  for (const type of ['cast', 'staff', 'program'] as const) {
    expect(report.counts[type]).toMatchObject({ updated: 1, created: 0 })
  }
  const again = await store.load('one', [{ ...cast, sort_number: 30 }])
  expect(again.counts.cast).toMatchObject({ updated: 1, created: 0 })
})

test('a source replaces the id it gave, and null removes it', async () => {
  const ids = () =>
    store
      .rows<{ id: string }>("select ns || ':' || external_id as id from external_ids where is_key = 0")
      .map(({ id }) => id)
  await store.load('one', [work('a:1', { ids: { mal: 5, anilist: 6 } })])
  await store.load('one', [work('a:1', { ids: { mal: 7, anilist: null } })])
  expect(ids()).toEqual(['mal:7'])
  expect(store.row('select mal_anime_id from works')).toEqual({ mal_anime_id: '7' })
  const report = await store.load('bangumi-data', [work('a:1', { ids: { mal: 8, anidb: 9 } })])
  expect(report.counts.work).toMatchObject({ conflict: 1 })
  expect(ids()).toEqual(['anidb:9', 'mal:7'])
})

test('works are recognized by title only on request, and only near their year', async () => {
  await store.load('one', [work('one:1', { title: 'けいおん！', season_name: '2009-spring' })])
  const same = work('two:1', { title: 'けいおん!', season_name: '2010-winter' })
  const other = work('two:2', { title: 'けいおん!', season_name: '2020-winter' })
  expect((await store.load('two', [same], { dryRun: true })).counts.work).toMatchObject({ created: 1 })
  const report = await store.load('two', [same, other], { matchTitles: true })
  expect(report.counts.work).toMatchObject({ created: 1, updated: 1 })
})

test.each([
  ['marks tell two seasons apart', 'けいおん!!', '2010-spring', 'けいおん！！'],
  ['so they do where years are missing', 'けいおん！', '2009-all', 'けいおん！'],
  ['a season in another notation', '闇芝居 三期', '2016-winter', '闇芝居(第3期)'],
  ['a word for the medium', '映画 かみのつき', '2016-winter', '劇場版 かみのつき'],
  ['another notation a season later', '闇芝居 三期', '2016-spring', '闇芝居(第3期)'],
  ['another notation two seasons later', '闇芝居 三期', '2016-summer', undefined],
  ['another notation in the same year', '闇芝居 三期', '2016-all', '闇芝居(第3期)'],
  ['another notation in another year', '闇芝居 三期', '2017-all', undefined],
  ['the season before', '闇芝居 二期', '2016-winter', undefined],
  ['a sequel where only the first season is here', 'ゆるゆり♪♪', '2012-summer', undefined],
  ['two works of the same title', 'ふたご', '2016-winter', undefined],
  ['another medium', 'うみのつき', '2016-winter', undefined],
  ['no year', 'けいおん！', undefined, undefined],
])('recognized by title: %s', async (_, title, season_name, found) => {
  await store.load(
    'one',
    [
      ['けいおん！', '2009-spring'],
      ['けいおん！！', '2010-spring'],
      ['闇芝居(第3期)', '2016-winter'],
      ['劇場版 かみのつき', '2016-winter'],
      ['ゆるゆり', '2011-summer'],
      ['ふたご', '2016-winter'],
      ['ふたご', '2016-summer'],
      ['うみのつき', '2016-winter', 'movie'],
    ].map(([title, season_name, media = 'tv'], at) => work(`one:${at}`, { title, season_name, media })),
  )
  const { counts } = await store.load('annict', [work('annict:5', { title, season_name })], {
    matchTitles: true,
  })
  expect(counts.work).toMatchObject({ created: found === undefined ? 1 : 0 })
  const [before] = store.rows(
    `select key from import_rows where kind = 'work' and source_id <> (select id from sources where name = 'annict')
     and local_id = (select local_id from external_ids where ns = 'annict')`,
  )
  expect(before).toEqual(found === undefined ? undefined : { key: `one:${keys.indexOf(found)}` })
})

const keys = ['けいおん！', 'けいおん！！', '闇芝居(第3期)', '劇場版 かみのつき', 'ゆるゆり']

test('a namespace that a pack wants preserved is preserved by key as well as by ids', async () => {
  await store.load(header('one', { preserve_ids: ['annict', 'kiroku'] }), [
    work('kiroku:10000500'),
    work('x:1', { ids: { kiroku: 10_000_600 } }),
  ])
  expect(store.rows('select id from works order by id')).toEqual([{ id: 10_000_500 }, { id: 10_000_600 }])
  expect(store.rows("select external_id from external_ids where ns = 'kiroku'")).toHaveLength(1)
})
