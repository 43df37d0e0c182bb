import { afterAll, expect, test } from 'bun:test'
import { exportCatalogue } from '../../../src/catalogue/export/export'
import { animeOfflineDatabase, idsOf } from '../../../src/sources/adapters/anime-offline-database'
import { knownFromDatabase } from '../../../src/sources/known-from-database'
import { catalogueStore, work } from '../../support/catalogue-store'
import { expectedLines, fixture, runAdapter } from '../../support/source-run'
import { zipped } from '../../support/zip-file'

const file = await fixture('anime-offline-database/anime-offline-database.jsonl')
const expected = await expectedLines('anime-offline-database')
const [head = '', first = ''] = file.split('\n')
const entry = JSON.parse(first)

const store = await catalogueStore()
afterAll(() => store.close())
await store.load('mine', [work('mine:1', { ids: { mal: 990001 }, title: '星屑ポストマン' })])
const known = knownFromDatabase(store.handle)
const taken = async (content: string | Uint8Array, limit?: number) =>
  (await runAdapter(animeOfflineDatabase, { '': content }, { known, scope: { limit } })).lines
const takenOf = (...entries: object[]) =>
  taken([head, ...entries.map((one) => JSON.stringify({ ...entry, ...one }))].join('\n'))

test('the fixture yields the expected lines, packed or not', async () => {
  expect(await taken(file)).toEqual(expected)
  for (const packed of [Bun.zstdCompressSync(file), Bun.gzipSync(file), await zipped({ 'a/b.jsonl': file })])
    expect(await taken(packed)).toEqual(expected)
})

test('an entry with ids of two works, or two ids at one site, is ignored; so is a wrong id', async () => {
  await store.load('mine', [work('mine:2', { ids: { anilist: 991001 } })])
  expect(await takenOf({})).toHaveLength(1)
  expect(await takenOf({ sources: ['https://myanimelist.net/anime/990001'] })).toHaveLength(2)
  const twice = ['https://myanimelist.net/anime/990001', 'https://myanimelist.net/anime/990009']
  expect(await takenOf({ sources: twice })).toHaveLength(1)
  await store.load('mine', [
    work('mine:1', { ids: { mal: 990001, kitsu: 7 }, title: '星屑ポストマン' }),
    work('mine:2', { ids: { anilist: 5 } }),
  ])
  const [, line] = await takenOf({})
  expect(line?.ids).toEqual({ mal: 990001, anilist: 991001, anidb: 99901, livechart: 99601 })
})

test('a film has no episode count, and an unknown count is left out', async () => {
  await store.load('mine', [work('mine:3', { ids: { mal: 8 }, media: 'movie' })])
  const film = { sources: ['https://myanimelist.net/anime/8'], episodes: 1 }
  const none = { sources: ['https://myanimelist.net/anime/990001'], episodes: 0 }
  const lines = await takenOf(film, none)
  expect(lines).toHaveLength(3)
  for (const line of lines) expect(line).not.toHaveProperty('episodes_estimate')
  expect(await taken(file, 0)).toHaveLength(1)
})

test('how long an episode is, in minutes; what is not credible is left out', async () => {
  const minutes = async (duration: unknown) => (await takenOf({ ...alone, duration }))[1]?.minutes
  const alone = { sources: ['https://myanimelist.net/anime/990001'] }
  expect(await minutes({ value: 1440, unit: 'SECONDS' })).toBe(24)
  expect(await minutes({ value: 5430, unit: 'SECONDS' })).toBe(91)
  for (const duration of [
    { value: 0, unit: 'SECONDS' },
    { value: 36_030, unit: 'SECONDS' },
    { value: 24, unit: 'MINUTES' },
    undefined,
  ])
    expect([duration, await minutes(duration)]).toEqual([duration, undefined])
})

test.each([
  ['https://anidb.net/a17', { anidb: 17 }],
  ['http://anilist.co/anime/17/x', { anilist: 17 }],
  ['https://kitsu.io/anime/17', { kitsu: 17 }],
  ['https://www.animenewsnetwork.com/encyclopedia/anime.php?id=17', { ann: 17 }],
  ['https://simkl.com/anime/17', { simkl: 17 }],
  ['https://www.anisearch.com/anime/17,x', { anisearch: 17 }],
  ['https://myanimelist.net/manga/17', {}],
  ['https://myanimelist.net/anime/0', {}],
  [`https://myanimelist.net/anime/${'9'.repeat(30)}`, {}],
  ['https://evil.example/?https://myanimelist.net/anime/17', {}],
])('%s leads to %p', (url, ids) => {
  expect(idsOf([url])).toEqual(ids)
})

test.each(['', 'x', '{}', '{"data":[]}', `${head}\n{"title":1}`, `${head}\n{`, 'PK\u0003\u0004 and no zip'])(
  'what is no such file is refused: %p',
  async (text) => {
    expect(taken(text)).rejects.toThrow(/^the (?:file|zip)/)
  },
)

test('a second import changes nothing, and an export contains nothing from it unless requested', async () => {
  const before = exported()
  const [header = {}, ...rows] = await taken(file)
  const { problems, counts } = await store.load(header, rows)
  expect(problems).toEqual([])
  expect(counts.work).toMatchObject({ created: 0, updated: 1 })
  const { counts: again } = await store.load(header, (await taken(file)).slice(1))
  expect(again.work).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
  expect(exported()).toEqual(before)
  const [line] = exported(true).filter((one) => 'title' in one && one.title === '星屑ポストマン')
  expect(line).toMatchObject({
    ids: { livechart: '99601' },
    aliases: expect.arrayContaining(['Hoshikuzu Postman']),
    episodes_estimate: 12,
  })
})

test('a row created by such a source is not exported either, nor what belongs to it', async () => {
  const before = exported()
  await store.load('anime-offline-database', [
    work('aod:1', { aliases: ['x'] }),
    { type: 'series', key: 'aod:s', name: 'S' },
    { type: 'episode', key: 'aod:e', work: 'aod:1', number: '1', sort_number: 10 },
  ])
  await store.load('third', [
    { type: 'episode', key: 'third:e', work: 'aod:1', number: '2', sort_number: 20 },
    { type: 'character', key: 'third:c', name: 'C', series: 'aod:s' },
  ])
  const after = exported()
  expect(after).toHaveLength(before.length + 1)
  expect(after.find((one) => 'type' in one && one.type === 'character')).toMatchObject({ name: 'C' })
  expect(after.find((one) => 'type' in one && one.type === 'character')).not.toHaveProperty('series')
  expect(exported(true).length).toBeGreaterThan(after.length + 3)
})

const exported = (withShareAlike = false) =>
  [...exportCatalogue(store.handle, { withShareAlike })].map((line) => withAllIds(JSON.parse(line)))

/** Which of its ids is the key depends on what named the row last. */
function withAllIds({
  key = '',
  ids = {},
  ...line
}: Record<string, unknown> & { key?: string; ids?: object }) {
  const [site = '', id] = key.split(':')
  return {
    ...line,
    ids: Object.fromEntries(Object.entries({ [site]: id, ...ids }).map(([to, n]) => [to, String(n)])),
  }
}
