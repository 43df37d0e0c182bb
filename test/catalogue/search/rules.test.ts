import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findRows } from '../../../src/catalogue/search/find'
import { inKana } from '../../../src/catalogue/search/keys/keys'
import { yearIn } from '../../../src/catalogue/search/ways/by-year'
import { openStore, type Store } from '../../../src/db/open'
import { type CatalogueStore, catalogueStore, work } from '../../support/catalogue-store'

let store: CatalogueStore
let open: Store
beforeAll(async () => {
  store = await catalogueStore()
  open = openStore(store.directory, store.handle)
  await store.load('mine', catalogue)
})
afterAll(() => open.close())

const blade = { series: ['my:blade'] }
const eva = { series: ['my:eva'] }
const catalogue = [
  { type: 'series', key: 'my:blade', name: '鬼退治' },
  { type: 'series', key: 'my:eva', name: '福音' },
  work('annict:1', {
    ...{
      title: '鬼退治 立志編',
      title_en: 'Ogre Hunter: Onitaiji',
      popularity: 55,
      season_name: '2019-spring',
    },
    ...blade,
  }),
  work('annict:2', {
    ...{
      title: '鬼退治 遊郭編',
      title_en: 'Onitaiji: Pleasure Quarter',
      popularity: 46,
      season_name: '2021-autumn',
    },
    ...blade,
  }),
  work('annict:3', {
    title: '新世紀の福音',
    title_en: 'Neon Gospel',
    popularity: 59,
    season_name: '1995-autumn',
    ...eva,
  }),
  work('annict:4', {
    ...{
      title: '福音総集編',
      title_en: 'Gospel: Recap',
      media: 'movie',
      popularity: 30,
      season_name: '1997-spring',
    },
    ...eva,
  }),
  work('annict:5', { title: '果物籠', popularity: 30, season_name: '2001-summer' }),
  work('annict:6', { title: '果物籠', popularity: 20, season_name: '2019-spring' }),
  work('annict:7', { title: '反逆の王', popularity: 57, season_name: '2006-autumn' }),
  work('annict:8', { title: '反逆の王 そのあと R2', popularity: 56, season_name: '2008-spring' }),
  work('annict:9', { title: 'ち。―星の運動―', season_name: '2024-autumn' }),
  work('annict:10', { title: 'ちはやぶる', popularity: 59 }),
  work('annict:11', { title: '機械兵器GHOST SEED', popularity: 9 }),
  work('annict:12', { title: 'Tale of a Scientific Railcannon', popularity: 9 }),
  work('annict:13', { title: '猫の本', popularity: 41 }),
  work('annict:14', { title: '猫の本棚', popularity: 40 }),
  work('annict:15', { title: '猫の本屋', popularity: 44 }),
  work('annict:16', { title: '赤と青と黄と白と黒と金', popularity: 20 }),
  work('annict:17', { title: '赤や青や黄や白や黒や金や銀', popularity: 10 }),
]

const found = (text: string) => findRows(open.read, 'works', text)
const first = async (text: string) => (await found(text))[0]

test.each([
  ['the part that began a series comes before later parts whose names begin with the text', 'onitaiji', 1],
  ['and before a recap', 'gospel', 3],
  ['but not if the text is what another part is called', '鬼退治 遊郭編', 2],
  ['a year chooses among works with one title', '果物籠 2019', 6],
  ['in brackets', '果物籠（2001年版）', 5],
  ['with a season', '果物籠 2019春', 6],
  ['before the title', 'spring 2019 果物籠', 6],
  ['a word of two letters counts', '反逆の王 r2', 8],
  ['marks that keys leave out count among equals', 'ち。', 9],
  ['English words are found in kana', '機械兵器ゴースト シード', 11],
  ['also if only some are', 'ゴーストシード', 11],
  ['words that no name has may be among rare ones', 'A Certain Scientific Railcannon', 12],
  ['articles do not matter', 'the neon gospel', 3],
])('%s: %s', async (_, text, id) => {
  expect(await first(text)).toBe(id)
})

test('a year or season alone lists its works, the best known first', async () => {
  expect(await found('2019')).toEqual([1, 6])
  expect(await found('2019年 春')).toEqual([1, 6])
  expect(await found('2021 summer')).toEqual([])
})

test.each([
  ['フルーツバスケット 2019', { base: 'フルーツバスケット', year: 2019, season: undefined }],
  ['2024年秋アニメ', { base: '', year: 2024, season: 'autumn' }],
  ['fall 1998 bebop', { base: 'bebop', year: 1998, season: 'autumn' }],
  ['2001夜物語', { base: '夜物語', year: 2001, season: undefined }],
])('the year in %s', (text, said) => expect(yearIn(text)).toEqual(said))

test.each(['1850', '20190', 'モブサイコ100', '16bit', 'summer wars'])('%s has none', (text) =>
  expect(yearIn(text)).toBeUndefined(),
)

test('English words are written in kana only where they are whole words', () => {
  expect(inKana('はたらく細胞BLACK')).toBe('はたらく細胞ブラック')
  expect(inKana('BLACKISH')).toBeUndefined()
  expect(inKana('はたらく細胞')).toBeUndefined()
})

test('a few watchers do not bend the order, many do', async () => {
  const titles = () => found('猫の本').then((ids) => ids.slice(1))
  const watch = (id: number, watchers: number) =>
    store.handle.run('update works set watchers_count = ? where id = ?', [watchers, id])
  expect(await titles()).toEqual([15, 14])
  watch(14, 5)
  expect(await titles()).toEqual([15, 14])
  watch(14, 100)
  expect(await titles()).toEqual([14, 15])
  watch(14, 0)
})

test('words beyond the sixth are not searched for', async () => {
  expect((await found('赤 青 黄 白 黒 金')).slice(0, 2)).toEqual([16, 17])
  expect((await found('赤 青 黄 白 黒 金 銀')).slice(0, 2)).toEqual([16, 17])
  expect((await found('銀 赤 青 黄 白 黒 金'))[0]).toBe(17)
})
