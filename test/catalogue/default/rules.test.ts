import { expect, test } from 'bun:test'
import { inherited, readRenown } from '../../../db/catalogue/renown'
import { broadcast, streams } from '../../../src/catalogue/default/broadcast'
import { seriesName } from '../../../src/catalogue/default/series'
import { plainText } from '../../../src/catalogue/default/sources'
import { otherTitles } from '../../../src/catalogue/default/work-line'
import { withKeys } from '../../../src/catalogue/default/work-lines'
import { catalogueItem as item, work, works } from '../../support/built-catalogue'

test.each([
  ['nicovideo', '2022-12-17T12:00:00.000Z', 0],
  ['nicovideo', '2023-01-31T12:01:00.000Z', 0],
  ['bilibili', '2023-01-01T12:00:00.000Z', 0],
  ['broadcast', '2023-01-01T12:00:00.000Z', 0],
  ['nicovideo', '', 0],
  ['nicovideo', 'soon', 0],
  ['nicovideo', '2022-12-18T12:00:00.000Z', 1],
  ['nicovideo', '2023-01-31T12:00:00.000Z', 1],
])('a work of 1 January on %s from %p: %d streams', (site, begin, count) => {
  const sites = [{ site, id: 'x', begin }]
  expect(streams({ begin: '2023-01-01T12:00:00.000Z', sites })).toHaveLength(count)
  expect(streams({ begin: '', sites })).toEqual([])
})

test('a broadcast needs an hour, a rule, or an end in the future', () => {
  const begin = '2025-01-05T16:00:00.000Z'
  const end = '2025-03-23T16:00:00.000Z'
  expect(broadcast(item({ begin, end }))).toBeNull()
  expect(broadcast(item({ end }))).toBeNull()
  expect(broadcast(item({ type: 'movie', begin: '2025-01-05T12:00:00.000Z' }))).toBeNull()
  expect(broadcast(item({ type: 'ova', begin: '2025-01-05T12:00:00.000Z' }))).toBeNull()
  expect(broadcast(item({ begin }))).toEqual({ begin })
  expect(broadcast(item({ begin, end, broadcast: `R/${begin}/P0D` }))).toEqual({ begin, end })
  expect(broadcast(item({ begin, end, broadcast: `R/${begin}/P7D` }))).toEqual({
    begin,
    end,
    interval: 'P7D',
  })
})

test('a long-running series is in the slot it moved to', () => {
  const begin = '1996-01-08T10:30:00.000Z'
  const moved = '2009-04-04T09:00:00.000Z'
  expect(broadcast(item({ begin, broadcast: `R/${moved}/P7D` }))?.begin).toBe(moved)
  expect(
    broadcast(item({ begin, end: '1997-01-01T10:30:00.000Z', broadcast: `R/${moved}/P7D` }))?.begin,
  ).toBe(begin)
})

test.each([
  [['けいおん！', 'けいおん！！'], 'けいおん！'],
  [['TRIGUN STAMPEDE', 'TRIGUN STARGAZE'], 'TRIGUN'],
  [['おしえて！ギャル子ちゃん', 'おしえて! ギャル子ちゃん OAD'], 'おしえて！ギャル子ちゃん'],
  [['ピアノの森(TVシリーズ)', 'ピアノの森(TVシリーズ 第2シリーズ)'], 'ピアノの森'],
  [['DARKER THAN BLACK -黒の契約者-', 'DARKER THAN BLACK -流星の双子-'], 'DARKER THAN BLACK'],
  [['るろうに剣心 -浪漫譚-(2023)', 'るろうに剣心 -浪漫譚- 京都動乱'], 'るろうに剣心 -浪漫譚-'],
  [['ドルアーガの塔 ～the Aegis～', 'ドルアーガの塔 ～the Sword～'], 'ドルアーガの塔'],
  [['GANTZ ～the first stage～', 'GANTZ 〜the 2nd stage〜'], 'GANTZ'],
  [['スマーフ シーズン2', 'スマーフ シーズン3'], 'スマーフ'],
  [["銀魂'", '銀魂 THE FINAL'], "銀魂'"],
  [['Re:ゼロ', 'Re:プチ'], 'Re:ゼロ'],
])('%p are the series %p', (titles, name) => {
  expect(seriesName(titles.map((title) => ({ type: 'tv', title })))).toBe(name)
})

test('a series without a shared name is called after its first television work', () => {
  const parts = [
    { type: 'movie', title: '序章' },
    { type: 'tv', title: '本編' },
  ] as const
  expect(seriesName([...parts])).toBe('本編')
})

test('other titles leave out those that differ only in width or case', () => {
  const titleTranslate = {
    en: ['K-ON!', 'Keion'],
    'zh-Hans': ['轻音少女', 'ｋ-on!', ''],
    'zh-Hant': ['輕音部'],
  }
  expect(otherTitles('けいおん！', [item({ title: 'けいおん！', titleTranslate })])).toEqual({
    english: 'K-ON!',
    aliases: ['Keion', '輕音部', '轻音少女'],
  })
  expect(otherTitles('MOON', [item({ title: 'MOON' })])).toEqual({ english: undefined, aliases: [] })
  expect(otherTitles('MOON', [item({ title: '月' }), item({ title: 'moon', titleTranslate })])).toEqual({
    english: 'K-ON!',
    aliases: ['月', 'Keion', '輕音部', '轻音少女'],
  })
})

test('titles are plain text', () => {
  expect(plainText(' TIGER &amp; BUNNY\ufeff &lt;2&gt;\t')).toBe('TIGER & BUNNY <2>')
  expect(plainText('A & B &c;')).toBe('A & B &c;')
  expect(work('TIGER & BUNNY 2')).toHaveLength(1)
})

test('a key is the Annict id, otherwise an id no other work has, otherwise the title', () => {
  const keys = withKeys([
    { title: 'A', ids: { annict: 1, bangumi: 5 } },
    { title: 'B', ids: { bangumi: 5, mal: 7 } },
    { title: 'C', ids: { bangumi: 6, mal: 8 } },
    { title: 'D', ids: { bangumi: 5 } },
    { title: 'D', ids: {} },
  ]).map(({ key }) => key)
  expect(keys).toEqual(['annict:1', 'mal:7', 'bangumi:6', 'title:D', 'title:D (2)'])
})

test('a sequel gets almost the popularity of the best before it, or something for each of them', () => {
  expect(inherited([])).toBeUndefined()
  expect(inherited([58, undefined, 40])).toBe(56)
  expect(inherited([undefined])).toBe(30)
  expect(inherited(Array(9).fill(undefined))).toBe(38)
  expect(inherited([1])).toBe(1)
})

test('works of one title are a series, in which a sequel is as well known as what it continues', () => {
  const [first] = work('薬屋のひとりごと')
  const [third] = work('薬屋のひとりごと 第3期')
  expect(third?.series).toEqual(first?.series)
  expect(third?.popularity).toBe(Number(first?.popularity) - 2)
  const [season] = work('アオのハコ Season2')
  expect(season?.popularity).toBe(Number(work('アオのハコ')[0]?.popularity) - 2)
  expect(work('MONSTER').map(({ popularity = 0 }) => popularity > 0)).toEqual([true])
})

test('every work that everyone knows is in the pack, and none twice', () => {
  const renown = [...readRenown()]
  expect(renown.length).toBeWithin(100, 151)
  for (const [annict, popularity] of renown)
    expect(works.find(({ ids }) => ids.annict === annict)?.popularity).toBeGreaterThanOrEqual(popularity)
})
