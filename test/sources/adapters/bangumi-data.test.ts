import type { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { joinFacts } from '../../../src/catalogue/default/join'
import { workLines } from '../../../src/catalogue/default/work-lines'
import { worksOf } from '../../../src/catalogue/default/works'
import { bangumiData, knownPairs } from '../../../src/sources/adapters/bangumi-data'
import type { Known } from '../../../src/sources/known'
import { knownFromDatabase } from '../../../src/sources/known-from-database'
import { ShapeError } from '../../../src/sources/source'
import { readPackagesOnce } from '../../support/built-catalogue'
import { catalogueStore } from '../../support/catalogue-store'
import { defaultCatalogue, isBuilt } from '../../support/default-catalogue'
import { expectedLines, fixture, knownOf, knownWorks, runAdapter } from '../../support/source-run'

const data = await fixture('bangumi-data/data.json')
const arm = await fixture('bangumi-data/arm.json')
const expected = await expectedLines('bangumi-data')
const [dataUrl, armUrl] = [
  'https://cdn.jsdelivr.net/npm/bangumi-data@0.3/dist/data.json',
  'https://cdn.jsdelivr.net/npm/@kawaiioverflow/arm@0/arm.json',
]
const answers = { [dataUrl]: data, [armUrl]: arm }
const sources = readPackagesOnce()
const packages = {
  [dataUrl]: JSON.stringify({ items: sources.items }),
  [armUrl]: JSON.stringify(sources.armRows),
}

const store = await catalogueStore()
afterAll(() => store.close())

test('the fixture yields the expected lines; importing them again changes nothing', async () => {
  const { lines } = await runAdapter(bangumiData, answers)
  expect(lines).toEqual(expected)
  const [header = {}, ...rows] = lines
  expect((await store.load(header, rows)).counts.work).toMatchObject({ created: 3 })
  const { counts, problems } = await store.load(header, rows)
  expect(problems).toEqual([])
  expect(counts.work).toMatchObject({ created: 0, updated: 0, unchanged: 3 })
  const again = await runAdapter(bangumiData, answers, { known: knownOf(knownWorks(rows)) })
  const [, ...enriching] = again.lines
  expect(enriching.filter((line) => 'title' in line || 'season_name' in line)).toEqual([])
  const report = await store.load(header, enriching)
  expect(report.problems).toEqual([])
  expect(report.counts.work).toMatchObject({ created: 0, updated: 0, unchanged: 3 })
})

test('the embedded catalogue without its facts equals what the same packages yield here', async () => {
  const { facts } = knownPairs(sources, knownOf([]))
  const bare = {
    ...sources,
    facts,
    corrections: [],
    airDates: new Map(),
    aliases: new Map(),
    episodeCounts: new Map(),
    relations: [],
  }
  const { series, works } = workLines(worksOf(bare, joinFacts(bare)), bare)
  const ofBuild = [...series, ...works.map(({ line }) => line)]
  const { lines } = await runAdapter(bangumiData, packages, { scope: { isFull: true } })
  expect(lines.slice(1)).toEqual(JSON.parse(JSON.stringify(ofBuild)))
  expect(lines.length).toBeGreaterThan(8000)
}, 120_000)

test.skipIf(!isBuilt)(
  'D58: with the catalogue loaded, the same packages change no title, medium, season and Annict id, and add no work',
  async () => {
    const seeded = await catalogueStore(await defaultCatalogue())
    try {
      const known = knownFromDatabase(seeded.handle)
      const { lines } = await runAdapter(bangumiData, packages, { known, scope: { isFull: true } })
      const [ownHeader = {}, ...ownRows] = lines
      expect(ownRows.length).toBeGreaterThan(8000)
      // In the copy in which an import is examined.
      const decided: unknown[] = []
      const examine = (copy: Database) => {
        decided.push(decidedOf(copy))
        return true
      }
      const judged = { matchTitles: true, dryRun: true, examine }
      const { problems, counts } = await seeded.load(ownHeader, ownRows, judged)
      expect(problems).toEqual([])
      expect(counts.work).toMatchObject({ created: 0 })
      expect(decided).toEqual([decidedOf(seeded.handle)])
    } finally {
      seeded.close()
    }
  },
  240_000,
)

const decidedOf = (handle: Database) =>
  handle
    .query(
      `select works.id, title, media, season_year, season, external_id from main.works
       left join main.external_ids on local_id = works.id and kind = 'work' and ns = 'annict' order by 1, 6`,
    )
    .values()

const work = (ids: Record<string, string>, more: object = {}) => ({
  id: 1,
  title: '別の作品',
  media: 'tv',
  seasonYear: 2001,
  ids: new Map(Object.entries(ids).map(([to, id]) => [to, [id]] as const)),
  ...more,
})

const idsWith = async (known: Known) => {
  const { lines } = await runAdapter(bangumiData, answers, { known })
  return lines.find((line) => line.official_site_url === 'https://hoshikuzu.example/')
}

test('an Annict id that the catalogue contradicts is left out', async () => {
  expect(await idsWith(knownOf([]))).toMatchObject({ ids: { annict: 900001, mal: 990001 } })
  // The Annict id belongs to another work, by everything known about it.
  const taken = await idsWith(knownOf([work({ annict: '900001' })]))
  expect(taken).toMatchObject({ key: 'bangumi:9900001', title: '星屑ポストマン' })
  expect(taken?.ids).not.toHaveProperty('annict')
  // The MyAnimeList id belongs to another work: neither it nor what comes with it is used.
  const foreign = await idsWith(knownOf([work({ annict: '5', mal: '990001' })]))
  expect(foreign?.ids).toEqual({ bangumi: 9900001, tmdb: 'tv/9990001' })
  // The work exists, with another Annict id.
  const other = await idsWith(knownOf([work({ annict: '5', bangumi: '9900001' })]))
  expect(other).toMatchObject({ key: 'annict:5', ids: { annict: 5, bangumi: 9900001 } })
  expect(other).not.toHaveProperty('title')
})

test('a work that Annict lists and the packages did not have yet gets their data, except title and season', async () => {
  const listed = { annict: '900001', mal: '990001' }
  const line = await idsWith(knownOf([work(listed, { title: '星屑ポストマン', seasonYear: 2026 })]))
  expect(line).toEqual(
    Object.fromEntries(
      Object.entries(expected[2] ?? {}).filter(([name]) => !['title', 'media', 'season_name'].includes(name)),
    ) as never,
  )
})

test('a run covers its seasons, and works without an end that somebody watches; --full covers all', async () => {
  const titles = async (
    seasons: string[],
    more: { isFull?: boolean; limit?: number } = {},
    known = knownOf([]),
  ) => {
    const { lines } = await runAdapter(bangumiData, answers, { scope: { seasons, ...more }, known })
    return lines.flatMap(({ title }) => title ?? [])
  }
  expect(await titles(['2026-autumn'])).toEqual(['冬のはじまり便', '星屑ポストマン'])
  expect(await titles(['2027-winter'])).toEqual(['劇場版 紙の月の庭'])
  expect(await titles(['2020-winter'])).toEqual([])
  expect(await titles(['2020-winter'], { isFull: true, limit: 2 })).toHaveLength(2)
  const open = { ...knownOf([]), openWorkIds: () => ['9900001'] }
  expect(await titles(['2020-winter'], {}, open)).toEqual(['星屑ポストマン'])
})

test.each([
  [{ [dataUrl]: '{"items":[{"title":1}]}', [armUrl]: arm }, /^data\.json\.items\[0\]/],
  [{ [dataUrl]: '<html>', [armUrl]: arm }, /^data\.json must be JSON/],
  [{ [dataUrl]: data, [armUrl]: '{}' }, /^arm\.json/],
])('an answer of another shape is refused', async (wrong, message) => {
  const problem = await runAdapter(bangumiData, wrong).catch((cause: unknown) => cause)
  expect(problem).toBeInstanceOf(ShapeError)
  expect((problem as ShapeError).message).toMatch(message)
})
