import { expect, test } from 'bun:test'
import { hashOfPack } from '../../../db/catalogue/pack'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { searchDrift } from '../../../src/catalogue/counters/search-drift'
import { readHeader } from '../../../src/catalogue/import/file/header'
import { readLine } from '../../../src/catalogue/import/file/line'
import { lines } from '../../support/built-catalogue'
import { catalogueStore, episode, hundredWorks, now, textOf, work } from '../../support/catalogue-store'
import { defaultCatalogue, isBuilt, packPath, withPack } from '../../support/default-catalogue'

test.skipIf(!isBuilt)(
  'the default catalogue is loaded completely and once, under Annict’s ids',
  async () => {
    const { defaultCatalogueState, loadDefaultCatalogue } = await import(
      '../../../src/catalogue/default-catalogue'
    )
    const empty = await catalogueStore()
    expect(defaultCatalogueState(empty.handle)).toBe('none')
    empty.close()
    const store = await catalogueStore(await defaultCatalogue())
    expect(store.row('select count(*) as n from works where hidden = 0')).toEqual({ n: 17994 })
    expect(store.row('select count(*) as n from works where id <= 10000000')).toEqual({ n: 17560 })
    expect(store.row("select value from instance where name = 'default_catalogue'")).toEqual({
      value: hashOfPack(await Bun.file(packPath).bytes()),
    })
    expect(await loadDefaultCatalogue(store, now)).toBeUndefined()
    expect(defaultCatalogueState(store.handle)).toBe('current')
    expect(findDrift(store.handle)).toEqual([])
    expect(searchDrift(store.handle)).toEqual([])
    store.close()
  },
  240_000,
)

test.skipIf(!isBuilt)('that of another version of kiroku is older: it is loaded too', async () => {
  const { defaultCatalogueState, loadDefaultCatalogue } = await import(
    '../../../src/catalogue/default-catalogue'
  )
  const merged = { type: 'work', key: 'annict:7', merged_into: 'w:1' }
  using _ = withPack(`${hundredWorks()}${JSON.stringify(merged)}\n`)
  const store = await catalogueStore()
  expect((await loadDefaultCatalogue(store, now))?.counts.work).toMatchObject({ created: 100 })
  store.handle.run("update instance set value = 'another' where name = 'default_catalogue'")
  store.handle.run(`insert into catalogue_sources (name, state) values
    ('kiroku', '{"version":"2026.11.20","isTaken":true}'), ('annict', '{"isTaken":true}')`)
  expect(defaultCatalogueState(store.handle)).toBe('older')
  expect((await loadDefaultCatalogue(store, now))?.counts.work).toMatchObject({ unchanged: 101 })
  expect(defaultCatalogueState(store.handle)).toBe('current')
  // What a pack brought may have been newer.
  expect(store.rows('select name, state from catalogue_sources order by name')).toEqual([
    { name: 'annict', state: '{"isTaken":true}' },
    { name: 'kiroku', state: '{"version":"2026.11.20","isTaken":false}' },
  ])
  store.close()
})

test('no line of the default catalogue breaks a rule or has unknown fields', () => {
  const [head, ...rows] = lines
  const told: unknown[] = []
  const warn = (sentence: string) => told.push(sentence)
  told.push(...[readHeader(head, warn), ...rows.map((row) => readLine(row, warn))].filter(isText))
  expect(told).toEqual([])
})

const isText = (read: unknown) => typeof read === 'string'

test.skipIf(!isBuilt)('a summary says what there is and where it came from', async () => {
  const { summarize } = await import('../../../src/catalogue/summary')
  const store = await catalogueStore()
  await store.load('annict', [work('a:1', { episodes_estimate: 3 }), work('a:2'), episode('e:1', 'a:2', 1)])
  await store.load('annict', [{ type: 'work', key: 'a:2', deleted: true }])
  const summary = summarize(store.handle)
  expect(summary.rows.work).toEqual({ shown: 1, hidden: 1 })
  expect(summary.rows.episode).toEqual({ shown: 3, hidden: 1 })
  expect(summary.estimated).toEqual({ episodes: 3, programs: 0 })
  expect(summary.sources).toEqual([
    { name: 'admin', priority: 100, lines: 0 },
    { name: 'annict', priority: 80, lines: 3 },
    { name: 'members', priority: 20, lines: 0 },
    { name: 'estimate', priority: 10, lines: 0 },
  ])
  expect(summary.defaultCatalogue).toBe('none')
  store.close()
})

test.skipIf(!isBuilt)(
  'a newer default catalogue makes counts unknown and merges twins without losing what people recorded',
  async () => {
    const { loadDefaultCatalogue } = await import('../../../src/catalogue/default-catalogue')
    const span = { begin: '1999-10-20T10:00:00Z', end: '2025-12-28T14:15:00Z', interval: 'P7D' }
    const long = work('annict:2457', { title: 'ワンピース', broadcast: span })
    const disc = (key: string, ids: object) =>
      work(key, { title: 'とある科学の超電磁砲 OVA', media: 'ova', ids })
    const pack = (...rows: object[]) => withPack(textOf('bangumi-data', rows))
    const store = await catalogueStore()
    {
      using _ = pack(
        { ...long, episodes_estimate: 100 },
        disc('annict:2870', {}),
        disc('bangumi:98371', { bangumi: 98371 }),
      )
      await loadDefaultCatalogue(store, now)
    }
    const user = `insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
      values (1, 'a', 'a', 'a', 'a@b.c', 'a@b.c', '', 0)`
    store.handle.run(user)
    const works = store.rows<{ id: number }>('select id from works order by id')
    const twin = Number(works.at(-1)?.id)
    store.handle.run(`insert into records (user_id, work_id, episode_id, watched_at, created_at)
      select 1, work_id, id, 0, 0 from episodes where work_id = 2457 and sort_number <= 800`)
    store.handle.run(`insert into skips (user_id, episode_id, lap, created_at)
      select 1, id, 1, 0 from episodes where work_id = 2457 and sort_number = 900`)
    store.handle.run(
      "insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watched', 1)",
      [twin],
    )
    store.handle.run("update instance set value = 'another' where name = 'default_catalogue'")
    {
      using _ = pack({ ...long, episodes_estimate: null }, disc('annict:2870', { bangumi: 98371 }), {
        type: 'work',
        key: 'bangumi:98371',
        merged_into: 'annict:2870',
      })
      expect((await loadDefaultCatalogue(store, now))?.problems).toEqual([])
    }
    expect(
      store.row(`select count(*) as n, max(sort_number) / 10 as last, sum(records_count) as records,
        (select count(*) from skips) as skips from episodes where work_id = 2457`),
    ).toEqual({ n: 90, last: 90, records: 80, skips: 1 })
    expect(store.rows('select work_id, kind from statuses')).toEqual([{ work_id: 2870, kind: 'watched' }])
    expect(store.rows('select from_id, to_id from redirects')).toEqual([{ from_id: twin, to_id: 2870 }])
    expect(findDrift(store.handle)).toEqual([])
    store.close()
  },
)
