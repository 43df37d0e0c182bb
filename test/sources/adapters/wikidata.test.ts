import { afterAll, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { wikidata } from '../../../src/sources/adapters/wikidata'
import type { CatalogueWork, Known } from '../../../src/sources/known'
import { knownFromDatabase } from '../../../src/sources/known-from-database'
import { ShapeError, type SourceRequest } from '../../../src/sources/source'
import { catalogueStore, work } from '../../support/catalogue-store'
import { answerBody, expectedLines, knownOf, runAdapter } from '../../support/source-run'

const folder = `${import.meta.dir}/../fixtures/wikidata`
const stores = [await catalogueStore(), await catalogueStore()] as const
afterAll(() => {
  for (const store of stores) store.close()
})

const made = [
  { id: 1, title: '星屑ポストマン', mal: '990001' },
  { id: 3, title: '劇場版 紙の月の庭', mal: '990003' },
  { id: 4, title: '二つの顔', mal: '990004' },
].map(({ mal, ...rest }) => workOf({ ...rest, ids: { mal: [mal] } }))

test('one query per property yields the expected lines, all about existing works', async () => {
  const requests: SourceRequest[] = []
  const answer = (request: SourceRequest) => {
    requests.push(request)
    return answerOf(request.as)
  }
  const { lines } = await runAdapter(wikidata, answer, { known: knownOf(made) })
  expect(lines.map((line) => JSON.stringify(line))).toEqual(
    (await expectedLines('wikidata')).map((line) => JSON.stringify(line)),
  )
  expect(lines.filter((line) => 'title' in line || 'media' in line)).toEqual([])
  expect(requests.map(({ as }) => as)).toEqual([
    ...['P4086', 'P8729', 'P5646', 'P5732', 'P11495', 'P1985', 'P345', 'P4835', 'P12196', 'P4983', 'P4947'],
    ...['P1814', 'P856', 'P2002', 'P2047', 'labels'],
  ])
  expect(requests.every(({ isUnconditional }) => isUnconditional)).toBe(true)
  const [first] = requests.map(({ url }) => new URL(url))
  expect(first?.host).toBe('query.wikidata.org')
  expect(first?.searchParams.get('query')).toBe(
    'SELECT ?item ?v WHERE { ?item wdt:P31/wdt:P279* wd:Q1107; wdt:P4086 ?v }',
  )
})

test('the lines fill in blanks, overwrite nothing, and change nothing the second time', async () => {
  const [store] = stores
  await store.load('bangumi-data', [
    work('bangumi-data:1', { ids: { mal: 990001, anidb: 5, imdb: 'tt1' }, twitter_username: 'old' }),
    work('bangumi-data:3', { ids: { mal: 990003, anilist: 991003 }, title_kana: 'ふるい' }),
  ])
  const values = {
    P4086: { Q1: ['990001'], Q3: ['990003'] },
    P345: { Q1: ['tt0000007'], Q3: ['tt0000003'] },
    P1814: { Q1: ['ホシ'], Q3: ['あたらしい'] },
    P2002: { Q1: ['new'], Q3: ['new'] },
  }
  const known = knownOf([
    workOf({ id: 1, title: 'One', ids: { mal: ['990001'] } }),
    workOf({ id: 3, title: 'Three', ids: { mal: ['990003'] } }),
  ])
  const [header = {}, ...lines] = await linesFrom(values, known)
  const { problems, counts } = await store.load(header, lines)
  expect(problems).toEqual([])
  expect(counts.work).toMatchObject({ created: 0, updated: 2 })
  const texts = 'select title_kana, twitter_username from works order by id'
  expect(store.rows(texts)).toEqual([
    { title_kana: 'ホシ', twitter_username: 'old' },
    { title_kana: 'ふるい', twitter_username: 'new' },
  ])
  expect(store.rows("select external_id from external_ids where ns = 'imdb' order by local_id")).toEqual([
    { external_id: 'tt1' },
    { external_id: 'tt0000003' },
  ])
  expect((await store.load(header, lines)).counts.work).toMatchObject({ created: 0, updated: 0 })
})

test('an id of another shape is left out', async () => {
  const shapes = {
    P4086: { Q1: ['1'] },
    P8729: { Q1: ['0'] },
    P5646: { Q1: ['12a'] },
    P5732: { Q1: ['t1234'] },
    P4835: { Q1: ['1234567890123456'] },
    P345: { Q1: ['nm0000001'] },
    P11495: { Q1: ['a-slug'] },
    P1985: { Q1: ['-3'] },
    P4983: { Q1: ['tv/3'] },
    P1814: { Q1: ['漢字かな'] },
    P856: { Q1: ['ftp://example.org/'] },
    P2002: { Q1: ['@name'] },
    labels: { Q1: ['', ' ', 'x'.repeat(1001)] },
  }
  expect((await linesFrom(shapes, oneWork)).slice(1)).toEqual([
    { type: 'work', key: 'wikidata:Q1', ids: { mal: 1 } },
  ])
})

test('films and series are numbered separately at TMDB and TheTVDB; an item with both gets none', async () => {
  const ids = async (values: Values) =>
    (await linesFrom({ P4086: { Q1: ['1'] }, ...values }, oneWork))[1]?.ids
  expect(await ids({ P4983: { Q1: ['7'] }, P12196: { Q1: ['8'] } })).toEqual({
    mal: 1,
    tvdb: 'movie/8',
    tmdb: 'tv/7',
  })
  expect(await ids({ P4983: { Q1: ['7'] }, P4947: { Q1: ['7'] } })).toEqual({ mal: 1 })
})

test('an id of several items, or one of several of an item, does not count', async () => {
  const ids = async (values: Values) =>
    (await linesFrom({ P4086: { Q1: ['1'] }, ...values }, oneWork)).map(({ ids }) => ids)
  expect(await ids({ P8729: { Q1: ['3', '4'] } })).toEqual([undefined, { mal: 1 }])
  expect(await ids({ P8729: { Q1: ['3'], Q2: ['3'] } })).toEqual([undefined, { mal: 1 }])
  // Even if one of the two has others too.
  expect(await ids({ P8729: { Q1: ['3'], Q2: ['3', '4'] } })).toEqual([undefined, { mal: 1 }])
})

test('an item whose ids belong to two works, or contradict those of the work, yields nothing', async () => {
  const first = workOf({ id: 1, title: 'First season', ids: { mal: ['1'], anidb: ['11'] } })
  const second = workOf({ id: 2, title: 'Second season', ids: { mal: ['2'], anilist: ['22'] } })
  const lines = async (values: Values) => (await linesFrom(values, knownOf([first, second]))).slice(1)
  expect(await lines({ P4086: { Q1: ['1'] }, P8729: { Q1: ['22'] } })).toEqual([])
  expect(await lines({ P4086: { Q1: ['1'] }, P5646: { Q1: ['12'] } })).toEqual([])
  expect(await lines({ P8729: { Q1: ['22'] }, P4086: { Q1: ['3'] } })).toEqual([])
  expect(await lines({ P8729: { Q1: ['22'] }, P1814: { Q1: ['にき'] } })).toEqual([
    { type: 'work', key: 'wikidata:Q1', ids: { anilist: 22 }, title_kana: 'にき' },
  ])
  // Two items that claim to be the same work.
  expect(await lines({ P4086: { Q1: ['1'] }, P5646: { Q2: ['11'] } })).toEqual([])
})

test("other titles become aliases, the work's own title does not", async () => {
  const values = { P4086: { Q1: ['1'] }, labels: { Q1: ['ホシ', 'Stars', 'ＨＯＳＨＩ', 'Stars'] } }
  const known = knownOf([workOf({ id: 1, title: 'hoshi', ids: { mal: ['1'] } })])
  expect((await linesFrom(values, known))[1]?.aliases).toEqual(['ホシ', 'Stars'])
})

test('an item merged into another is still known by its old name', async () => {
  const [, store] = stores
  await store.load('mine', [work('mine:1', { ids: { mal: 1 } })])
  await store.load('wikidata', [{ type: 'work', key: 'wikidata:Q1', ids: { mal: 1 } }])
  const known = knownOf([workOf({ id: 1, title: 'One', ids: { mal: ['1'], wikidata: ['Q1'] } })])
  const [header = {}, ...lines] = await linesFrom(
    { P4086: { Q2: ['1'] }, P345: { Q2: ['tt0000007'] } },
    known,
  )
  expect(lines).toMatchObject([{ key: 'wikidata:Q1' }])
  const { problems, counts } = await store.load(header, lines)
  expect([problems, counts.work]).toMatchObject([[], { updated: 1 }])
})

test('the length of an episode or a film is that of the item, if it has one and it is credible', async () => {
  const minutes = async (...texts: string[]) => {
    const [, line] = await linesFrom({ P4086: { Q1: ['1'] }, P2047: { Q1: texts } }, oneWork)
    return line?.minutes
  }
  expect(await minutes('1440')).toBe(24)
  expect(await minutes('5430.0')).toBe(91)
  for (const text of ['0', '29', '36030', '-60', 'long', ''])
    expect([text, await minutes(text)]).toEqual([text, undefined])
  expect(await minutes('1440', '5400')).toBeUndefined()
})

test('a work whose id another one shares is left alone, even if the id is its key: the importer would find neither', async () => {
  const store = await catalogueStore()
  await store.load('mine', [work('mal:1'), work('mine:2', { ids: { anilist: 2 } })])
  await store.load('mine', [{ ...work('mine:2'), ids: { anilist: 2, mal: 1 } }])
  const known = knownFromDatabase(store.handle)
  const [header = {}, ...lines] = await linesFrom({ P4086: { Q1: ['1'] }, P8729: { Q2: ['2'] } }, known)
  expect(lines).toMatchObject([{ key: 'wikidata:Q2' }])
  expect((await store.load(header, lines)).problems).toEqual([])
  store.close()
})

test('any JSON is accepted or refused as a change of shape', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), async (json) => {
      const refused = await wikidata
        .read('P4086', answerBody(json), { location: undefined })
        .catch((cause) => cause)
      expect(refused).toBeInstanceOf(ShapeError)
    }),
  )
})

const oneWork = knownOf([workOf({ id: 1, title: 'One', ids: { mal: ['1'] } })])

type Values = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/** Lines from values by property and item. */
async function linesFrom(values: Values, known: Known) {
  const answer = (property: string) =>
    JSON.stringify({
      results: {
        bindings: Object.entries(values[property] ?? {}).flatMap(([item, texts]) =>
          texts.map((value) => ({ item: { value: `http://www.wikidata.org/entity/${item}` }, v: { value } })),
        ),
      },
    })
  return (await runAdapter(wikidata, ({ as }) => answer(as), { known })).lines
}

function answerOf(property: string): string {
  const path = `${folder}/${property}.json`
  return existsSync(path) ? readFileSync(path, 'utf8') : '{"results":{"bindings":[]}}'
}

function workOf({
  ids,
  ...rest
}: {
  id: number
  title: string
  ids: Record<string, string[]>
}): CatalogueWork {
  return { media: 'tv', seasonYear: 2026, ...rest, ids: new Map(Object.entries(ids)) }
}
