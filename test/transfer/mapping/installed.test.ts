import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installMapping, listMappings, removeMapping } from '../../../src/transfer/mapping/installed'
import { createMatcher } from '../../../src/transfer/match/create-matcher'
import { place } from '../../../src/transfer/match/place'
import type { SaidPlay } from '../../../src/transfer/match/said-play'
import { indexTitles } from '../../../src/transfer/match/title-index'
import { type CatalogueStore, catalogueStore } from '../../support/catalogue-store'
import { defaultCatalogue, isBuilt } from '../../support/default-catalogue'
import { anime, estimated, rowOf } from '../match/catalogue'

const sample = (name: string) => readFileSync(join(import.meta.dir, name))
const pairs = readFileSync(join(import.meta.dir, '../match/pairs.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(','))

let store: CatalogueStore
beforeAll(async () => {
  store = await catalogueStore()
  await store.load('annict', [
    anime(1, '旅の記録', { ids: { mal: 1001, anidb: 101, tmdb: 'tv/100' }, ...estimated(12, '2018-04-01') }),
    anime(2, '旅の記録 続', { ids: { mal: 1002, anidb: 102 }, ...estimated(12, '2019-04-01') }),
    anime(3, '旅の別冊', { ids: { mal: 1003, anidb: 103 }, ...estimated(12, '2019-07-01') }),
  ])
})
afterAll(() => store.close())
beforeEach(async () => {
  for (const kind of ['anime-lists', 'anibridge', 'fribb'] as const) await removeMapping(store, kind)
})

const deps = () => ({ ...store, now: () => 5 })
const pieces = async function* (content: string | Uint8Array, size = 7) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const install = (content: string | Uint8Array, name = 'x', size?: number) =>
  installMapping(deps(), name, pieces(content, size))
const xml = (...elements: readonly string[]) =>
  `<?xml version="1.0"?><anime-list>${elements.join('')}</anime-list>`
const of = (anidb: number, season: string, offset: string, inner = '') =>
  `<anime anidbid="${anidb}" tvdbid="9" defaulttvdbseason="${season}" episodeoffset="${offset}"><name>x</name>${inner}</anime>`

const ask = async (season: number | undefined, episode: number, more: Partial<SaidPlay> = {}) => {
  const said = {
    titles: [],
    refs: [{ site: 'tvdb', id: '9' }] as const,
    isMovie: false,
    season,
    episode,
    ...more,
  }
  const found = await place(store.read, { titles: await indexTitles(store.read), choices: new Map() }, said)
  return 'work' in found ? [found.work.id, found.episode, found.rule] : found.reason
}

test('a single episode decides before a range, a range before the rest of a season, and the later rest before the earlier', async () => {
  const range = '<mapping anidbseason="1" tvdbseason="1" start="3" end="4" offset="15"/>'
  const single = '<mapping anidbseason="1" tvdbseason="1">;1-19;</mapping>'
  await install(
    xml(
      of(101, '1', ''),
      of(102, '1', '12'),
      of(103, '', '', `<mapping-list>${range}${single}</mapping-list>`),
    ),
  )
  expect(await ask(1, 12)).toEqual([1, 12, 'mapping'])
  expect(await ask(1, 13)).toEqual([2, 1, 'mapping'])
  expect(await ask(1, 18)).toEqual([3, 3, 'mapping'])
  expect(await ask(1, 19)).toEqual([3, 1, 'mapping'])
  expect(await ask(undefined, 12)).toEqual([1, 12, 'mapping'])
  expect(await ask(2, 1)).not.toContain('mapping')
})

test('of ranges that overlap the one that begins later decides; two that begin together are not sure', async () => {
  const overlapping = { 'mal:1001': { '1-13': '1-13' }, 'mal:1002': { '12-22': '1-11' } }
  await install(JSON.stringify({ 'tvdb_show:9:s1': overlapping }))
  expect([await ask(1, 11), await ask(1, 12)]).toEqual([
    [1, 11, 'mapping'],
    [2, 1, 'mapping'],
  ])
  await install(JSON.stringify({ 'tvdb_show:9:s1': { ...overlapping, 'mal:1003': { '12-14': '1-3' } } }))
  expect(await ask(1, 12)).toBe('several_works')
})

test('a number that the file has elsewhere is not given by the rest of the season', async () => {
  await install(xml(of(101, '1', '', '<mapping anidbseason="1" tvdbseason="1">;1-5;</mapping>')))
  expect(await ask(1, 5)).toEqual([1, 1, 'mapping'])
  expect(await ask(1, 1)).not.toContain('mapping')
})

test('what is taught decides before it, and what it says of another time is not believed', async () => {
  await install(xml(of(102, '1', '')))
  expect(await ask(1, 3, { airDate: '2019-04-15' })).toEqual([2, 3, 'mapping'])
  expect(await ask(1, 3, { airDate: '2019-02-10' })).toBe('several_works')
  expect(await ask(1, 3, { airDate: '2019-02-20' })).toEqual([2, 3, 'mapping'])
  expect(await ask(1, 3, { airDate: '2019-08-08' })).toEqual([2, 3, 'mapping'])
  expect(await ask(1, 3, { airDate: '2019-08-09' })).toBe('several_works')
  const taught = new Map([['tvdb:9/season/1', { workId: 1, episodeOffset: 1 }]])
  const said = {
    titles: [],
    refs: [{ site: 'tvdb', id: '9' }] as const,
    isMovie: false,
    season: 1,
    episode: 3,
  }
  const found = await place(store.read, { titles: await indexTitles(store.read), choices: taught }, said)
  expect(found).toMatchObject({ rule: 'taught', episode: 4 })
})

test('files that disagree decide nothing; one that only knows the series leads to its works', async () => {
  await install(xml(of(101, '1', '')))
  await install(JSON.stringify({ 'tvdb_show:9:s1': { 'mal:1002': { '1-12': '1-12' } } }))
  expect(await ask(1, 3)).toBe('several_works')
  await removeMapping(store, 'anibridge')
  await install(JSON.stringify({ 'tvdb_show:9:s1': { 'mal:1001': { '1-12': '2-13' } } }))
  expect(await ask(1, 3)).toBe('several_works')
  await removeMapping(store, 'anibridge')
  await removeMapping(store, 'anime-lists')
  expect(await ask(1, 3)).toBe('no_work')
  await install(JSON.stringify([{ mal_id: 1001, thetvdb_id: 9, type: 'TV' }]))
  expect(await ask(1, 3)).toEqual([1, 3, 'season'])
})

test('a file is installed in the place of one of its kind, with what it covers, and removed', async () => {
  const contradictory = JSON.stringify({
    $meta: { version: 3 },
    'tvdb_show:9:s1': {
      'mal:1001': { '1-12': '1-12' },
      'mal:1002': { '1-12': '1-12' },
      'mal:77': { '1': '1' },
    },
    'mal:1001': { 'tvdb_show:9:s1': { '1-12': '1-12' } },
  })
  expect(await install(contradictory, 'one.json')).toEqual({
    ...{ kind: 'anibridge', name: 'one.json', installedAt: 5 },
    ...{ ranges: 3, works: 2, contradictions: 1, skipped: 1 },
  })
  await install(JSON.stringify({ 'tvdb_show:9:s1': { 'mal:1001': { '1-12': '1-12' } } }), 'two.json')
  expect((await listMappings(store.read)).map(({ name, ranges }) => [name, ranges])).toEqual([
    ['two.json', 1],
  ])
  expect(store.row('select count(*) as n from mapping_ranges')).toEqual({ n: 1 })
  expect(await removeMapping(store, 'anibridge')).toBe(true)
  expect(await removeMapping(store, 'anibridge')).toBe(false)
  expect(store.rows('select id from mapping_ranges union all select id from mapping_files')).toEqual([])
})

test('a file that is broken, cut off, too large or none is refused, and the one before decides on', async () => {
  const good = JSON.stringify({ 'tvdb_show:9:s1': { 'mal:1001': { '1-12': '1-12' } } })
  await install(good)
  const bomb = Bun.zstdCompressSync(
    Buffer.concat([Buffer.from('{"x":"'), Buffer.alloc(70 * 1024 * 1024, 32)]),
  )
  expect(bomb.length).toBeLessThan(100_000)
  const refusals: [string | Uint8Array, string][] = [
    ['', 'empty'],
    ['a,b\n1,2', 'unrecognised'],
    ['{}', 'unrecognised'],
    ['{"mal:1": {"tvdb_show:9:s1": {"1": "1"}}}', 'unrecognised'],
    [`${good.slice(0, -3)}`, 'broken'],
    [Bun.zstdCompressSync(good).subarray(0, -4), 'broken'],
    [new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3, 4, 5, 6, 7, 8]), 'broken'],
    [new Uint8Array([0x1f, 0x8b, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9]), 'broken'],
    [bomb, 'too_large'],
    ['<!DOCTYPE x [<!ENTITY a "b">]><anime-list/>', 'doctype'],
    ['<html><body>no</body></html>', 'html_page'],
    ['<anime-list></anime-list>', 'unrecognised'],
  ]
  for (const [content, problem] of refusals)
    expect([problem, await install(content, 'x', 65_536).catch(({ problem }) => problem)]).toEqual([
      problem,
      problem,
    ])
  expect(await ask(1, 3)).toEqual([1, 3, 'mapping'])
  expect((await listMappings(store.read)).length).toBe(1)
  await install(Bun.zstdCompressSync(good))
  await install(Bun.gzipSync(Buffer.from(good)))
  // What was begun and refused is dropped by the next one.
  expect(store.row('select count(*) as n from mapping_files')).toEqual({ n: 1 })
})

test('an import of seasons of TheTVDB is placed by it too', async () => {
  const match = createMatcher(store.read, { choices: new Map() })
  const row = rowOf({
    title: 'x',
    refs: [{ site: 'tvdb', id: '9' }],
    plays: [
      { season: 1, episode: 13 },
      { season: 1, episode: 2 },
    ],
  })
  expect((await match(row)).map(({ workId }) => workId)).toEqual([null])
  await install(xml(of(101, '1', ''), of(102, '1', '12')))
  expect((await match(row)).map(({ workId, row: { plays } }) => [workId, plays?.[0]?.episode])).toEqual([
    [1, 2],
    [2, 1],
  ])
})

let catalogue: CatalogueStore
beforeAll(async () => {
  if (isBuilt) catalogue = await catalogueStore(await defaultCatalogue())
}, 300_000)
afterAll(() => catalogue?.close())

test.skipIf(!isBuilt).each([
  ['anime-lists.xml', 'tvdb'],
  ['anime-lists.xml', 'tmdb'],
  ['anibridge.json', 'tvdb'],
])('with %s every episode is told by its id at a site and its number alone: %s', async (name, site) => {
  const { read, write } = catalogue
  for (const kind of ['anime-lists', 'anibridge'] as const) await removeMapping(catalogue, kind)
  const titles = await indexTitles(read)
  await installMapping({ read, write, now: () => 1 }, name, pieces(sample(name), 65_536))
  const wrong: unknown[] = []
  let [right, mapped] = [0, 0]
  for (const [work, number, ...keys] of pairs) {
    const [id = '', season, episode] = site === 'tmdb' ? keys : keys.slice(3)
    const refs = [{ site: site as 'tvdb', id: site === 'tmdb' ? `tv/${id}` : id }]
    const said = { titles: [], refs, isMovie: false, season: Number(season), episode: Number(episode) }
    const found = await place(read, { titles, choices: new Map() }, said)
    const isRight = 'work' in found && found.work.id === Number(work) && found.episode === Number(number)
    if (isRight) right += 1
    else
      wrong.push([
        work,
        number,
        said.season,
        said.episode,
        'work' in found ? [found.work.id, found.episode, found.rule] : found.reason,
      ])
    if ('rule' in found && found.rule === 'mapping') mapped += 1
  }
  expect(wrong).toEqual([])
  expect([right, mapped]).toEqual([pairs.length, pairs.length])
})
