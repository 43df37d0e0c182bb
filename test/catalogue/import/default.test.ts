import { expect, test } from 'bun:test'
import { hashOfPack } from '../../../db/catalogue/pack'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { searchDrift } from '../../../src/catalogue/counters/search-drift'
import { readHeader } from '../../../src/catalogue/import/file/header'
import { readLine } from '../../../src/catalogue/import/file/line'
import { lines } from '../../support/built-catalogue'
import { catalogueStore, episode, hundredWorks, now, work } from '../../support/catalogue-store'
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
