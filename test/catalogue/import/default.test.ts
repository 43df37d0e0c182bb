import { expect, test } from 'bun:test'
import { hashOfPack } from '../../../db/catalogue/pack'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { searchDrift } from '../../../src/catalogue/counters/search-drift'
import { catalogueStore, episode, now, work } from '../../support/catalogue-store'
import { defaultCatalogue, defaultCatalogueReport, isBuilt, packPath } from '../../support/default-catalogue'

test.skipIf(!isBuilt)(
  'the default catalogue is loaded once, whole, under the ids Annict gives',
  async () => {
    const { defaultCatalogueState, loadDefaultCatalogue } = await import(
      '../../../src/catalogue/default-catalogue'
    )
    const empty = await catalogueStore()
    expect(defaultCatalogueState(empty.handle)).toBe('none')
    empty.close()
    const report = await defaultCatalogueReport()
    expect(report.problems).toEqual([])
    expect(report.warnings).toEqual([])
    expect(report.counts.work?.created).toBe(18027)
    const store = await catalogueStore(await defaultCatalogue())
    expect(store.row('select count(*) as n from works where id <= 10000000')).toEqual({ n: 17560 })
    expect(store.row("select value from instance where name = 'default_catalogue'")).toEqual({
      value: hashOfPack(await Bun.file(packPath).bytes()),
    })
    expect(await loadDefaultCatalogue(store, now)).toBeUndefined()
    expect(defaultCatalogueState(store.handle)).toBe('current')
    expect(findDrift(store.handle)).toEqual([])
    expect(searchDrift(store.handle)).toEqual([])
    store.handle.run("update instance set value = 'another' where name = 'default_catalogue'")
    store.handle.run(`insert into catalogue_sources (name, state) values
      ('kiroku', '{"version":"2026.11.20","isTaken":true}'), ('annict', '{"isTaken":true}')`)
    expect(defaultCatalogueState(store.handle)).toBe('older')
    expect((await loadDefaultCatalogue(store, now))?.counts.work).toMatchObject({ unchanged: 18027 + 48 })
    // What a pack brought may have been newer.
    expect(store.rows('select name, state from catalogue_sources order by name')).toEqual([
      { name: 'annict', state: '{"isTaken":true}' },
      { name: 'kiroku', state: '{"version":"2026.11.20","isTaken":false}' },
    ])
    store.close()
  },
  240_000,
)

test.skipIf(!isBuilt)('a summary tells what there is and who said it', async () => {
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
