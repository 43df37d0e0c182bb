import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { searchDrift } from '../../../src/catalogue/counters/search-drift'
import { exportCatalogue } from '../../../src/catalogue/export/export'
import { findRows } from '../../../src/catalogue/search/find'
import { remakeIndexes } from '../../../src/catalogue/search/remake'
import { openStore, type Store } from '../../../src/db/open'
import { type CatalogueStore, catalogueStore, work } from '../../support/catalogue-store'
import { codePoint } from '../../support/code-point'

let store: CatalogueStore
let open: Store
beforeAll(async () => {
  store = await catalogueStore()
  open = openStore(store.directory, store.handle)
  await store.load('mine', catalogue)
})
afterAll(() => open.close())

const titan = { series: ['my:titan'] }
const catalogue = [
  { type: 'series', key: 'my:titan', name: '進撃の巨人' },
  work('annict:1', {
    title: '進撃の巨人',
    ...titan,
    season_name: '2013-spring',
    popularity: 900,
    search_readings: ['しんげき の きょじん'],
    search_names: ['Attack on Titan', 'Shingeki no Kyojin', '进击的巨人'],
  }),
  work('annict:2', { title: '進撃の巨人 Season2', ...titan, season_name: '2017-spring', popularity: 500 }),
  work('annict:3', { title: '進撃の巨人 Season3', ...titan, season_name: '2018-summer', popularity: 400 }),
  work('annict:4', {
    title: '進撃の巨人 Season3 Part.2',
    ...titan,
    season_name: '2019-spring',
    popularity: 600,
  }),
  work('annict:5', {
    title: '進撃の巨人 The Final Season',
    ...titan,
    season_name: '2020-autumn',
    popularity: 300,
  }),
  work('annict:6', { title: '劇場版 進撃の巨人 前編', media: 'movie', popularity: 950 }),
  work('annict:7', { title: '進撃!巨人中学校', popularity: 100, ids: { mal: 31374 } }),
  work('annict:10', { title: '魔法少女まどか☆マギカ', search_readings: ['まほう しょうじょ まどか まぎか'] }),
  work('annict:11', {
    title: '葬送のフリーレン',
    official_site_url: 'https://frieren-anime.jp/',
    ids: { mal: 52991, anilist: 154587, syobocal: 6776 },
    search_readings: ['そうそう の ふりーれん'],
  }),
  work('annict:12', { title: 'SPY×FAMILY', popularity: 5 }),
  work('annict:13', { title: 'ソードアート・オンライン', title_en: 'Sword Art Online' }),
  work('annict:14', { title: 'アリア', popularity: 1 }),
  work('annict:15', { title: 'アリア・ザ・スカーレットアンモ', popularity: 50 }),
  work('annict:16', { title: 'マリアさま', popularity: 99 }),
  work('annict:17', { title: 'カードキャプターさくら' }),
  work('annict:18', { title: 'ハートキャッチ', media: 'movie', season_name: '2010-spring' }),
  work('annict:19', { title: 'ハートキャッチ！', season_name: '2011-spring' }),
  work('annict:20', { title: 'ハートキャッチ？', season_name: '2010-winter' }),
  work('annict:22', { title: 'Grand Blue Sky Tale' }),
  work('annict:23', { title: '暗殺教室', search_readings: ['あんさつ きょうしつ'] }),
  work('annict:24', {
    title: '婚約者の観察記録',
    popularity: 999,
    search_readings: ['こんやくしゃ の かんさつ きろく'],
  }),
  work('annict:25', { title: '呪術廻戦' }),
  work('annict:26', { title: 'GBST放送局' }),
  work('annict:27', { title: '葬儀のアフリカ', popularity: 999 }),
  work('annict:28', { title: '劇場版 呪術廻戦 0', media: 'movie' }),
  work('annict:29', { title: 'ヱヴァンゲリヲン 新劇場版：Q', media: 'movie' }),
  work('annict:30', { title: '絵爆発', search_readings: ['その え ばくはつ'] }),
  work('annict:21', { title: '隠れたフリーレン', deleted: true }),
]

const found = (text: string) => findRows(open.read, 'works', text)
const first = async (text: string) => (await found(text))[0]

describe('ranking', () => {
  test('exact names come before names that begin with the text, and those before names that contain it, whatever the popularity', async () => {
    expect(await found('アリア')).toEqual([14, 15, 16])
  })

  test('among equals, the more popular comes first, then television, then the earlier season', async () => {
    expect((await found('進撃の')).slice(0, 3)).toEqual([1, 4, 2])
    expect(await found('ハートキャッチ')).toEqual([20, 19, 18])
  })

  test('a hidden work is not found', async () => {
    expect(await found('フリーレン')).toEqual([11])
  })

  test('a title that begins with the text comes before initials, and words that begin with it before titles that contain the letters', async () => {
    expect(await found('GBST')).toEqual([26, 22])
    expect(await found('葬フリ')).toEqual([11, 27])
  })

  test('other works of the series come below the hits', async () => {
    const ids = await found('しんげきのきょじん')
    expect([ids[0], ids.toSorted()]).toEqual([1, [1, 2, 3, 4, 5]])
  })
})

test.each([
  ['kana', 'しんげきのきょじん', 1],
  ['kana that break off before a small one', 'あんさつき', 23],
  ['Hepburn', 'shingekinokyojin', 1],
  ['Kunrei', 'singeki no kyozin', 1],
  ['English', 'attack on titan', 1],
  ['Chinese', '進擊的巨人', 1],
  ['one kanji within a title', '撃', 6],
  ['a season', '進撃の巨人 2期', 2],
  ['a season of an English name', 'attack on titan s3', 3],
  ['the last season', '進撃の巨人 ファイナル', 5],
  ['a film', '進撃の巨人 movie', 6],
  ['words in another order', '巨人 進撃 中学校', 7],
  ['pieces', '葬フリ', 11],
  ['pieces of the romaji', 'sousoufuri', 11],
  ['a piece and a last letter, which sounds like a part of another', 'エヴァQ', 29],
  ['kanji and kana without a space', '進撃きょじん', 1],
  ['a piece and a last digit', '呪術0', 28],
  ['a piece within a word', 'ソドライ', 13],
  ['× as x', 'spyxfamily', 12],
  ['× as nothing', 'spy family', 12],
  ['two letters that changed places', 'カードキャプターさらく', 17],
  ['a wrong first letter', 'マードキャプターさくら', 17],
  ['a letter too few', 'sword art onlne', 13],
  ['a wrong first letter and a word that says little', 'xpyfamily (TV)', 12],
  ['a wrong letter in a word within a title', 'フリーレソ', 11],
  ['a beginning that is alike', 'まほうしょうじょまどかなんとか', 10],
  ['an id', 'mal:52991', 11],
  ['an address elsewhere', 'https://anilist.co/anime/154587/Frieren/', 11],
  ['an address of a site', 'http://www.frieren-anime.jp', 11],
  ['a nickname', 'JJK', 25],
  ['a nickname with a season', 'AoT 2', 2],
])('finds by %s: %s', async (_, text, id) => {
  expect(await first(text)).toBe(id)
})

test('unknown texts find nothing', async () => {
  for (const text of [
    '存在しない題名',
    'mal:1',
    'https://myanimelist.net/anime/1',
    '!!',
    '☆☆',
    '',
    ' ',
    '\0',
  ])
    expect(await found(text)).toEqual([])
})

test('whatever is sent finds rows without duplicates, in bounded time', async () => {
  const nasty = [
    'a',
    'あ',
    '漢',
    '1',
    '☆',
    '"',
    "'",
    '^',
    '_',
    '*',
    '2期 ',
    'movie ',
    'NEAR(',
    '%',
    '𠮷',
    '🎌',
    'ー',
  ].map((text) => text.repeat(Math.ceil(200 / text.length)))
  const operators = [
    'a AND b',
    'a OR "b',
    '"',
    '^a',
    '_A',
    'terms:a',
    'a*',
    '-a',
    '(',
    'NOT a',
    '{a b}:c',
    'a + b',
    "';--",
  ]
  for (const text of [...nasty, ...operators]) {
    const ids = await found(text)
    expect(new Set(ids).size).toBe(ids.length)
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: codePoint, maxLength: 40 }), async (text) => {
      const ids = await found(text)
      return new Set(ids).size === ids.length
    }),
    { numRuns: 500 },
  )
})

test('5,000 searches for different texts leave nothing behind', async () => {
  const search = async (from: number) => {
    for (let n = from; n < from + 2500; n++) await found(`第${n}の${Math.imul(n, 2654435761) >>> 0}`)
    Bun.gc(true)
    return process.memoryUsage().heapUsed
  }
  const before = await search(0)
  expect((await search(2500)) - before).toBeLessThan(1_000_000)
}, 60_000)

test('search names and readings survive an export and an import, and are never shown', async () => {
  const lines = [...exportCatalogue(store.handle)].map((line) => JSON.parse(line))
  expect(lines.find(({ title }) => title === '進撃の巨人')).toMatchObject({
    popularity: 900,
    search_readings: ['しんげき の きょじん'],
    search_names: ['Attack on Titan', 'Shingeki no Kyojin', '进击的巨人'],
  })
})

test('an edited row is found only by its new texts, and a merged work by those of both', async () => {
  await store.load('mine', [work('annict:14', { title: 'アクア', search_names: ['水の惑星'] })])
  expect([await first('水の惑星'), (await found('アリア'))[0]]).toEqual([14, 15])
  await store.load('mine', [{ type: 'work', key: 'annict:14', merged_into: 'annict:15' }])
  expect([await first('水の惑星'), await first('アクア')]).toEqual([15, 15])
  expect(searchDrift(store.handle)).toEqual([])
})

test('an upgrade rebuilds the indexes once per version of the rules', () => {
  const { handle } = store
  handle.run("delete from instance where name = 'search_rules'")
  handle.run('delete from works_search_keys')
  expect(searchDrift(handle).length).toBeGreaterThan(10)
  handle.transaction(() => remakeIndexes(handle))()
  expect(searchDrift(handle)).toEqual([])
  handle.run('delete from works_search_keys')
  handle.transaction(() => remakeIndexes(handle))()
  expect(searchDrift(handle).length).toBeGreaterThan(10)
})
