import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { RunOptions } from '../../../src/sources/run/begin'
import { formatRun } from '../../../src/sources/run/format-run'
import { runSource } from '../../../src/sources/run/run-source'
import { type CatalogueStore, catalogueStore, work } from '../../support/catalogue-store'
import { type Page, pagedSource, runTools, type Site, siteOf } from '../../support/fake-source'

let store: CatalogueStore
let site: Site

beforeEach(async () => {
  store = await catalogueStore()
  site = siteOf({})
})
afterEach(() => store.close())

const options: RunOptions = { cause: 'command', asked: {}, isDryRun: false, isForced: false }
const runIt = async (works: Page['works'], more: Partial<RunOptions> = {}) => {
  site.pages[1] = { works }
  return (await runSource(runTools(store, site), pagedSource, { ...options, ...more })).run
}
const numbered = (count: number, title: (n: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [n + 1, title(n + 1)]))
const titlesLike = (pattern: string) => store.rows('select id from works where title like ?', pattern).length

describe('changed titles', () => {
  test('of more than 2 % of the works hold a run back, and change nothing', async () => {
    await runIt(numbered(1000, (n) => `Work ${n}`))
    const some = (count: number) => numbered(1000, (n) => (n <= count ? `New ${n}` : `Work ${n}`))
    const held = await runIt(some(21))
    expect(held).toMatchObject({ outcome: 'held_back', endedAt: expect.any(Number) })
    expect(held.message).toBe('it would change the titles of 21 of 1,000 works, and at most 20 are expected')
    expect(held.report?.import.counts.work).toMatchObject({ updated: 21 })
    expect(titlesLike('New%')).toBe(0)
    expect((await runIt(some(21), { isDryRun: true })).outcome).toBe('held_back')
    expect((await runIt(some(20))).outcome).toBe('done')
    expect((await runIt(some(500), { isForced: true })).outcome).toBe('done')
    expect(titlesLike('New%')).toBe(500)
  })

  test('must be at least ten in a small catalogue', async () => {
    await runIt(numbered(30, (n) => `Work ${n}`))
    const some = (count: number) => numbered(30, (n) => (n <= count ? `New ${n}` : `Work ${n}`))
    expect((await runIt(some(11))).outcome).toBe('held_back')
    expect((await runIt(some(10))).outcome).toBe('done')
  })

  test('are requested again after they were held back', async () => {
    await runIt(numbered(30, (n) => `Work ${n}`))
    const all = numbered(30, (n) => `New ${n}`)
    await runIt(all)
    expect(await runIt(all)).toMatchObject({ outcome: 'held_back', notModified: 0 })
  })
})

describe('lines', () => {
  test("fewer than half of the last comparable run's hold it back", async () => {
    await runIt(numbered(100, (n) => `Work ${n}`))
    await runIt(
      numbered(100, (n) => `Work ${n}`),
      { asked: { isFull: true } },
    )
    expect((await runIt(numbered(5, (n) => `Work ${n}`))).outcome).toBe('done')
    const held = await runIt(
      numbered(49, (n) => `Work ${n}`),
      { asked: { isFull: true } },
    )
    expect([held.outcome, held.message]).toEqual([
      'held_back',
      'it gives 50 lines, less than half of the 101 of its last run',
    ])
  })

  test('are compared with those of runs with the same scope that also began with a state', async () => {
    await runIt({ 0: 'First' })
    await runIt(numbered(100, (n) => `Work ${n}`))
    expect(
      (
        await runIt(
          numbered(20, (n) => `Work ${n}`),
          { asked: { limit: 20 } },
        )
      ).outcome,
    ).toBe('done')
    const held = await runIt(numbered(49, (n) => `Work ${n}`))
    expect([held.outcome, held.message]).toEqual([
      'held_back',
      'it gives 50 lines, less than half of the 101 of its last run',
    ])
    expect((await runIt(numbered(50, (n) => `Work ${n}`))).outcome).toBe('done')
  })

  test('may be few if they always were', async () => {
    await runIt({ 0: 'First' })
    await runIt(numbered(48, (n) => `Work ${n}`))
    expect((await runIt({ 1: 'Work 1', 2: 'Work 2' })).outcome).toBe('done')
  })
})

describe('an Annict number', () => {
  const parts = () =>
    store.load('annict', [
      work('annict:6779', { title: 'The Final Season', season_name: '2020-autumn' }),
      work('annict:8451', { title: 'The Final Season Part.2', season_name: '2022-winter' }),
    ])

  test('may not move to a work with another title and year', async () => {
    await parts()
    await runIt({ 1: { title: 'Another', season_name: '2022-winter' } })
    const held = await runIt({ 1: { title: 'Another', season_name: '2022-winter', ids: { annict: '6779' } } })
    expect([held.outcome, held.message]).toEqual([
      'held_back',
      'the Annict id 6779 would move from The Final Season (2020) to Another (2022)',
    ])
  })

  test('may move to a work with the same title or year', async () => {
    await parts()
    await store.load('annict', [work('annict:7777', { title: 'Third', season_name: '2020-autumn' })])
    await runIt({ 1: { title: 'Ｔｈｅ final season', season_name: '2022-winter', ids: { mal: '1' } } })
    await runIt({ 2: { title: 'Another', season_name: '2020-autumn', ids: { mal: '2' } } })
    const moved = {
      title: 'Ｔｈｅ final season',
      season_name: '2022-winter',
      ids: { mal: '1', annict: '6779' },
    }
    expect((await runIt({ 1: moved })).outcome).toBe('done')
    const other = { title: 'Another', season_name: '2020-autumn', ids: { mal: '2', annict: '7777' } }
    expect((await runIt({ 2: other })).outcome).toBe('done')
  })
})

describe('the report', () => {
  test('names the most visible changes, and what was left alone', async () => {
    await store.load('admin', [
      work('admin:1', { title: 'Mine', title_kana: 'まいん', ids: { mal: '1', anilist: '5' } }),
    ])
    await store.load('bangumi-data', [work('bangumi:2', { title: 'Old', ids: { mal: '2' } })])
    store.handle.run('update works set watchers_count = 5 where mal_anime_id = 1')
    const works = {
      1: {
        title: 'Theirs',
        title_kana: 'ぜあーず',
        title_en: 'Mine',
        ids: { mal: '1', anidb: '7', anilist: '6' },
      },
      2: { title: 'New', broadcast: { begin: '2024-01-01T00:00:00Z' }, ids: { mal: '2' } },
      3: { title: 'Third' },
    }
    const run = await runIt(works, { isDryRun: true })
    const [first] = store.rows<{ id: number }>('select id from works where title = ?', 'Mine')
    expect(run.report?.changes).toContainEqual({
      ...{ workId: first?.id ?? 0, title: 'Mine', field: 'title_en', old: '', new: 'Mine', owner: '' },
    })
    expect(formatRun(run).split('\n').slice(1)).toEqual([
      'paged (upsert), 4 lines',
      '  work: 1 created, 2 updated, 1 conflict',
      '  estimated: 13 episodes, 0 programs',
      'changes of works that were there, 4 of 4:',
      '  Mine title_en: - → Mine',
      '  Mine ids.anidb: - → 7',
      '  Old title: Old → New (bangumi-data)',
      '  Old broadcast_begin: - → 2024-01-01T00:00:00.000Z',
      'left alone, as a source of a higher rank has the field:',
      '  work.title: 1 (admin)',
      '  work.title_kana: 1 (admin)',
      '  work.ids.anilist: 1 (admin)',
    ])
  })

  test('names twenty changes, of the works with the most users', async () => {
    await runIt(numbered(30, (n) => `Work ${n}`))
    store.handle.run('update works set watchers_count = id % 100')
    const run = await runIt(
      numbered(30, (n) => `Work ${n} again`),
      { isForced: true },
    )
    const { changes = [], changesCount } = run.report ?? {}
    expect([changes.length, changesCount]).toEqual([20, 30])
    expect(changes.map(({ workId }) => workId % 100)).toEqual(Array.from({ length: 20 }, (_, n) => 30 - n))
  })
})
