import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { gramsOf, isSound } from '../../../src/catalogue/search/keys/grams'
import { addressKey, keysOf } from '../../../src/catalogue/search/keys/keys'
import { soundKey } from '../../../src/catalogue/search/keys/sound-key'
import { writtenKey } from '../../../src/catalogue/search/keys/written-key'
import { codePoint } from '../../support/code-point'

test('the written key of a written key is itself, for any character', () => {
  for (let code = 1; code < 0x30000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue
    const key = writtenKey(String.fromCodePoint(code))
    if (writtenKey(key) !== key) throw new Error(`U+${code.toString(16)}`)
  }
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => writtenKey(writtenKey(text)) === writtenKey(text)),
  )
})

test.each([
  ['marks, spaces and the long mark', '魔法少女まどか☆マギカ', '魔法少女 まどか　マギカー'],
  ['small kana', 'シャ乱Q', 'シヤ乱Q'],
  ['kana that sound alike', 'ヱヴァンヂェリヲンヅ', 'エヴァンジェリオンズ'],
  ['diacritics', 'Pokémon Ōban', 'pokemon oban'],
  ['letters with a stroke', 'Æon Łódź', 'aeon lodz'],
  ['old kanji', '戀と鬪ひ', '恋と闘ひ'],
  ['Chinese forms', '進擊的巨人', '进击的巨人'],
  ['Japanese and Chinese forms', '小魔女學院', '小魔女学院'],
])('%s make no difference to the written key', (_, one, other) => {
  expect(writtenKey(one)).toBe(writtenKey(other))
})

test.each([
  ['しんげきのきょじん', 'Shingeki no Kyojin', 'singeki no kyozin'],
  ['ちゅうにびょう', 'Chūnibyō', 'tyuunibyou'],
  ['おおさか', 'Ōsaka', 'ohsaka'],
  ['けいおん', 'keion', 'kei-on'],
  ['ふぁんたじー', 'fantajī', 'fantazii'],
  ['しんぶん', 'shimbun', 'sinbun'],
  ['まっちゃ', 'matcha', 'mattya'],
  ['ゔぁいおれっと', 'vaioretto', 'baioletto'],
  ['かんぢ', 'kanji', 'kandi'],
  ['うぃざーど', 'wizādo', 'wizaado'],
])('%s sounds as %s and %s do', (kana, one, other) => {
  expect([soundKey(one), soundKey(other)]).toEqual([soundKey(kana), soundKey(kana)])
  expect(isSound(soundKey(kana))).toBe(true)
})

test('a text that is not all kana and Latin letters has no sound, and no written key is mistaken for one', () => {
  for (const text of ['進撃', '進撃の', 'Тест', '', '!?', '한국']) expect(soundKey(text)).toBe('')
  fc.assert(fc.property(fc.string({ unit: codePoint }), (text) => !isSound(writtenKey(text))))
  fc.assert(fc.property(fc.string({ unit: codePoint }), (text) => /^(?:[A-Z0-9]*)$/.test(soundKey(text))))
})

test('both sides produce the same grams: those of a part are among those of the whole', () => {
  const text = fc.string({ unit: fc.constantFrom('あ', '漢', 'a', 'b', '1', '𠮷', 'é'), maxLength: 9 })
  fc.assert(
    fc.property(text, text, text, (before, part, after) => {
      const whole = new Set(gramsOf(before + part + after))
      expect(gramsOf(part).filter((gram) => !whole.has(gram))).toEqual([])
    }),
  )
})

const own = { titles: [], others: [], readings: [], site: '' }
const keysIn = (texts: Partial<Parameters<typeof keysOf>[0]>) =>
  keysOf({ ...own, ...texts }).map(({ key }) => key)

test('× is silent or read as x', () => {
  expect(keysIn({ titles: ['SPY×FAMILY'] })).toEqual(
    expect.arrayContaining(['spyfamily', 'spyxfamily', 'sxf']),
  )
})

test('the marks of a reading are not part of its sound', () => {
  expect(keysIn({ readings: ['きみ と ぼく 。'] })).toContain('KIMITOBOKU')
  expect(keysIn({ readings: ['さき - Saki - あちが へん'] })).toContain('SAKISAKIATIGAHEN')
})

test('a reading has the sounds of its particles as written and as spoken, and of numbers', () => {
  expect(keysIn({ readings: ['ぼく は ともだち が すくない'] })).toEqual(
    expect.arrayContaining(['BOKUHATOMODATIGASUKUNAI', 'BOKUWATOMODATIGASUKUNAI', 'bhtgs']),
  )
  for (const number of ['14', '1 4'])
    expect(keysIn({ readings: [`${number} ばんめ の ひょうてき`] })).toContain('ZYUYONBANMENOHYOTEKI')
})

test('a row has no more keys than there are ids for them', () => {
  const titles = Array.from({ length: 3000 }, (_, at) => `題${at}`)
  expect(keysIn({ titles }).length).toBe(2000)
})

test('an address is recognized without scheme, www, index page and what follows the path', () => {
  const same = [
    'http://www.Example.jp/anime/',
    'https://example.jp/anime',
    'https://example.jp/anime/index.html?a=1#b',
  ]
  expect(new Set(same.map(addressKey)).size).toBe(1)
  for (const none of ['', 'example', 'ftp://example.jp/']) expect(addressKey(none)).toBe('')
})
