import { expect, test } from 'bun:test'
import { claimAnnictIds } from '../../../db/catalogue/annict-claims'
import { armFinder } from '../../../db/catalogue/arm'
import { broadcast } from '../../../db/catalogue/broadcast'
import { plainText } from '../../../db/catalogue/plain-text'
import { seriesName } from '../../../db/catalogue/series-name'
import { streams } from '../../../db/catalogue/streams'
import { otherTitles } from '../../../db/catalogue/titles'
import { withKeys } from '../../../db/catalogue/work-keys'
import { catalogueItem as item, sources, work, works } from '../../support/built-catalogue'

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

test('a broadcast needs an hour, a rule, or an end still to come', () => {
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

test('a long runner is on air in the slot it moved to', () => {
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

test('a series without a shared name is called after its first work on television', () => {
  const parts = [
    { type: 'movie', title: '序章' },
    { type: 'tv', title: '本編' },
  ] as const
  expect(seriesName([...parts])).toBe('本編')
})

test('other titles leave out what differs only in width or case', () => {
  const titleTranslate = {
    en: ['K-ON!', 'Keion'],
    'zh-Hans': ['轻音少女', 'ｋ-on!', ''],
    'zh-Hant': ['輕音部'],
  }
  expect(otherTitles(item({ title: 'けいおん！', titleTranslate }))).toEqual({
    english: 'K-ON!',
    aliases: ['Keion', '輕音部', '轻音少女'],
  })
  expect(otherTitles(item({ title: 'MOON' }))).toEqual({ english: undefined, aliases: [] })
})

test('titles are plain text', () => {
  expect(plainText(' TIGER &amp; BUNNY\ufeff &lt;2&gt;\t')).toBe('TIGER & BUNNY <2>')
  expect(plainText('A & B &c;')).toBe('A & B &c;')
  expect(work('TIGER & BUNNY 2')).toHaveLength(1)
})

test('an Annict id that several parts of a work ask for goes to the one that is most like the whole', () => {
  const keptBy = (annictId: number) =>
    works.filter(({ ids }) => ids.annict === annictId).map(({ title }) => title)
  expect(keptBy(2457)).toEqual(['ONE PIECE'])
  expect(keptBy(9514)).toEqual(['進撃の巨人 The Final Season 完結編 前編'])
  expect(keptBy(10985)).toEqual(['Fate/strange Fake(TVシリーズ)'])
  expect(keptBy(13894)).toEqual(['Re:ゼロから始める異世界生活 3rd season'])
  expect(keptBy(9283)).toEqual(['ヤマトよ永遠に REBEL3199 第一章 黒の侵略'])
})

test('who keeps an Annict id does not depend on the order of the items', () => {
  const find = armFinder(sources.armRows)
  const kept = claimAnnictIds(sources.items, find)
  const reversed = claimAnnictIds(sources.items.toReversed(), find)
  expect(reversed.size).toBe(kept.size)
  for (const [one, annictId] of kept) expect(reversed.get(one)).toBe(annictId)
})

test('a key is the Annict id, else an id no other work has, else the title', () => {
  const keys = withKeys([
    { item: { title: 'A' }, ids: { annict: 1, bangumi: 5 } },
    { item: { title: 'B' }, ids: { bangumi: 5, mal: 7 } },
    { item: { title: 'C' }, ids: { bangumi: 6, mal: 8 } },
    { item: { title: 'D' }, ids: { bangumi: 5 } },
    { item: { title: 'D' }, ids: {} },
  ]).map(({ key }) => key)
  expect(keys).toEqual(['annict:1', 'mal:7', 'bangumi:6', 'title:D', 'title:D (2)'])
})
