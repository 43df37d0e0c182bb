import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { titleKey } from '../../src/transfer/match/title-index'

test.each([
  ['闇芝居 第3期', '闇芝居 三期'],
  ['闇芝居(第3期)', '闇芝居 3期'],
  ['生徒会役員共 II', '生徒会役員共Ⅱ'],
  ['ラブライブ！ 第2期', 'ラブライブ! 2nd Season'],
  ['SPY×FAMILY', 'SPYxFAMILY'],
  ['デリシャスパーティ♡プリキュア', 'デリシャスパーティプリキュア'],
  ['鬼滅の刃 〜遊郭編〜', '鬼滅の刃 ～遊郭編～'],
  ['ＳＦ西遊記スタージンガー', 'SF西遊記スタージンガー'],
  ['劇場版 名探偵コナン 純黒の悪夢', '名探偵コナン 純黒の悪夢'],
  ['アルスラーン戦記(1991年版)', 'アルスラーン戦記'],
  ['進撃の巨人 Season 2', '進撃の巨人 2期'],
])('titles of one work have one key: %s, %s', (one, other) => {
  expect(titleKey(one)).toBe(titleKey(other))
})

test.each([
  ['進撃の巨人', '進撃の巨人 2期'],
  ['ダーリン・イン・ザ・フランキス', 'ダーリン'],
  ['モブサイコ100', 'モブサイコ100 II'],
  ['ひぐらしのなく頃に', 'ひぐらしのなく頃に 第2クール'],
])('titles of two works have two: %s, %s', (one, other) => {
  expect(titleKey(one)).not.toBe(titleKey(other))
})

test('a title always has a key, even one of punctuation alone', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (title) => titleKey(title).length > 1))
  expect(titleKey('!!')).not.toBe(titleKey('??'))
})
