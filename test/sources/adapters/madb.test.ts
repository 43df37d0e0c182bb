import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { castIn, madb, staffIn } from '../../../src/sources/adapters/madb'
import { knownFromDatabase } from '../../../src/sources/known-from-database'
import { catalogueStore, work } from '../../support/catalogue-store'
import { expectedLines, fixture, runAdapter } from '../../support/source-run'
import { zipped } from '../../support/zip-file'

const file = await fixture('madb/metadata_an-col_an207.json')
const expected = await expectedLines('madb')

const store = await catalogueStore()
afterAll(() => store.close())
await store.load('mine', [
  work('annict:900001', { title: '星屑ポストマン', season_name: '1971-spring' }),
  work('annict:900002', { title: '劇場版 紙の月の庭', media: 'movie', season_name: '1973-summer' }),
])
const known = knownFromDatabase(store.handle)
const taken = async (content: string | Uint8Array, limit?: number) =>
  (await runAdapter(madb, { '': content }, { known, scope: { limit } })).lines

test('the fixture yields the expected lines, alone or in a zip', async () => {
  expect(await taken(file)).toEqual(expected)
  expect(await taken(await zipped({ 'readme.txt': 'x', 'json/a.json': file }))).toEqual(expected)
  expect(await taken(file, 1)).toEqual(expected.slice(0, -1))
})

test('a work with another medium or year, or one of two with the title, is not matched', async () => {
  const change = async (from: string, to: string) => await taken(file.replaceAll(from, to))
  expect(await change('1971-04-04', '1970-12-31')).toHaveLength(expected.length)
  expect(await change('1971-04-04', '1973-01-01')).toHaveLength(2)
  expect(await change('アニメ映画', 'アニメテレビスペシャルシリーズ')).toHaveLength(expected.length - 1)
  await store.load('mine', [work('annict:900003', { title: '星屑ポストマン', season_name: '1972-all' })])
  expect(await taken(file)).toHaveLength(2)
  await store.load('mine', [{ type: 'work', key: 'annict:900003', deleted: true }])
})

test("a second import changes nothing, and keeps Annict's credits", async () => {
  const [header = {}, ...rows] = await taken(file)
  const first = await store.load(header, rows)
  expect(first.problems).toEqual([])
  expect(first.counts.work).toMatchObject({ created: 0, updated: 1, unchanged: 1 })
  expect(first.counts.staff).toMatchObject({ created: 5 })
  expect(store.row('select title, title_kana from works where id = 900001')).toEqual({
    title: '星屑ポストマン',
    title_kana: 'ほしくず ぽすとまん',
  })
  const [, ...again] = await taken(file)
  for (const lines of [rows, again]) {
    const { problems, counts } = await store.load(header, lines)
    expect(problems).toEqual([])
    for (const { created, updated } of Object.values(counts)) expect([created, updated]).toEqual([0, 0])
  }
  await store.load('annict', [
    { type: 'person', key: 'annict:1', name: '誰か' },
    { type: 'staff', work: 'annict:900001', person: 'annict:1', role: 'director', sort_number: 10 },
  ])
  expect(await taken(file)).toHaveLength(3)
})

test.each(['', '[]', '{"@graph":{}}', '<rdf>', 'PK\u0003\u0004'])(
  'what is no such file is refused: %p',
  async (text) => {
    expect(taken(text)).rejects.toThrow(/^the (?:file|zip)/)
  },
)

test('credits are names without remarks, whatever the text', () => {
  expect(staffIn('[監督]甲 ／ [脚本・演出]乙[1話] ／ 丙 ／ []丁 ／ [作画]')).toEqual([
    { roles: ['監督'], names: ['甲'] },
    { roles: ['脚本', '演出'], names: ['乙'] },
  ])
  expect(castIn('【甲】乙 ／ 【丙】 ／ 丁 ／ 【】戊 ／ 【C.C.】己 庚')).toEqual([
    { characters: ['甲'], names: ['乙'] },
    { characters: ['C.C.'], names: ['己 庚'] },
  ])
  const unit = fc.constantFrom('[', ']', '【', '】', '／', '、', ' ', '（', '人')
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const names = [
        ...staffIn(text).flatMap(({ names }) => names),
        ...castIn(text).flatMap(({ names }) => names),
      ]
      for (const name of names) expect(name).toMatch(/^人(?: ?[人、])*$|^[人、 ]+$/)
    }),
  )
})
