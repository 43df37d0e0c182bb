import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { widthOfText } from '../../src/covers/made/letters'
import { madeCover, markOf } from '../../src/covers/made/made-cover'
import type { CoverFacts } from '../../src/covers/made/sheet'
import { setTitle, textBlock } from '../../src/covers/made/text-block'
import { partsOf } from '../../src/covers/made/title-parts'
import { codePoint } from '../support/code-point'
import { readSvg, type SvgText } from '../support/svg'

const facts = (title: string): CoverFacts => ({ title, media: 'tv', seasonYear: 2026, season: 'spring' })

const letters = [
  ...'ぼっちざろくのをにはがとでも葬送進撃巨人劇場版映画フリーレンァー・、。！？「」『』（）()〜- :×…',
  'Season',
  '2nd ',
  'OVA',
  'WWWW',
  '😀',
  '&',
  '<',
  '"',
  ' ',
]
const title = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.array(fc.constantFrom(...letters), { maxLength: 120 }).map((parts) => parts.join('')),
)
const anyFacts: fc.Arbitrary<CoverFacts> = fc.record({
  title,
  media: fc.constantFrom('tv', 'ova', 'movie', 'web', 'other'),
  seasonYear: fc.option(fc.integer({ min: 1000, max: 9999 })),
  season: fc.constantFrom(null, 'winter', 'spring', 'summer', 'autumn'),
})

describe('a generated cover', () => {
  test('is well-formed and at most 4 KB, whatever the title', () => {
    fc.assert(
      fc.property(anyFacts, (work) => {
        const svg = madeCover(work)
        readSvg(svg)
        expect(Buffer.byteLength(svg)).toBeLessThan(4096)
      }),
      { numRuns: 1000 },
    )
  })

  test('has no letter outside its area', () => {
    fc.assert(
      fc.property(anyFacts, (work) => {
        for (const text of readSvg(madeCover(work)))
          expect({ text, outside: overhang(text) }).toEqual({ text, outside: 0 })
      }),
      { numRuns: 1000 },
    )
  })

  test('places each letter of a vertical title itself, as programs differ in the distance they leave', () => {
    const vertical = ['葬送のフリーレン', '氷菓', '𠮷田家', 'お兄ちゃん'].flatMap((one) =>
      readSvg(madeCover(facts(one))).filter(({ isVertical }) => isVertical),
    )
    expect(vertical.length).toBeGreaterThan(5)
    for (const { text, tops, size } of vertical) {
      expect({ text, places: tops.length }).toEqual({ text, places: text.length })
      const distances = Array.from(text)
        .slice(1)
        .map((_, at) => {
          const [above, below] = [at, at + 1].map(
            (letter) => Array.from(text).slice(0, letter).join('').length,
          )
          return (tops[below ?? 0] ?? 0) - (tops[above ?? 0] ?? 0)
        })
      for (const distance of distances) expect(distance / size).toBeWithin(1.01, 1.05)
    }
  })

  test('is the same for the same title, and changes with it', () => {
    expect(madeCover(facts('葬送のフリーレン'))).toBe(madeCover(facts('葬送のフリーレン')))
    expect(madeCover(facts('葬送のフリーレン'))).not.toBe(madeCover(facts('薬屋のひとりごと')))
  })

  test('shares pattern and layout with the other seasons, but not the palette', () => {
    const [first, second] = ['夜桜さんちの大作戦', '夜桜さんちの大作戦 第2期'].map((one) =>
      madeCover(facts(one)),
    )
    expect(shapesOf(second)).toEqual(shapesOf(first))
    expect(coloursOf(second)).not.toEqual(coloursOf(first))
  })

  test('draws nothing for unknown values', () => {
    const texts = readSvg(madeCover({ title: '氷菓', media: 'other', seasonYear: null, season: null }))
    expect(texts.map(({ text }) => text)).toEqual(['氷菓', '氷菓'])
  })

  test('gives priority to the title’s space', () => {
    const long =
      '異世界に転生した私は王都で気ままに暮らしたいだけなのに勇者たちが放っておいてくれません'.repeat(2)
    const sub = 'もうひとつの長い副題であるところの何か'.repeat(4)
    for (const main of [long, 'ああああああああ'.repeat(8)]) {
      for (const text of readSvg(madeCover(facts(`劇場版 ${main} ${sub}`))))
        expect({ text, outside: overhang(text) }).toEqual({ text, outside: 0 })
    }
  })

  test('leaves a strip of the pattern next to any text', () => {
    const long = `${Array(8).fill('GORGEOUS').join(' ')} - ${'い'.repeat(60)}`
    fc.assert(
      fc.property(title, (text) => {
        expect(textBlock(partsOf(text), 206).height).toBeLessThanOrEqual(276)
      }),
      { examples: [[long], [`劇場版 ${long}`]] },
    )
  })

  test('sets no more lines at a size than fit well spaced', () => {
    const lines = (n: number) => Array(n).fill('ROSES').join(' ')
    expect([1, 3, 4].map((n) => setTitle(lines(n), 206).size)).toEqual([48, 48, 34])
    fc.assert(
      fc.property(title, (text) => {
        const { size, lines: set } = setTitle(text, 206)
        expect(set.length).toBeLessThanOrEqual({ 76: 1, 48: 3, 34: 4, 24: 8, 20: 10 }[size] ?? 0)
      }),
    )
  })

  test('ends a title that is too long with …', () => {
    const lines = readSvg(madeCover(facts('長い題'.repeat(60)))).filter(({ size }) => size === 20)
    expect(lines).toHaveLength(10)
    expect(lines.at(-1)?.text).toEndWith('…')
  })
})

/** How far a text extends beyond the cover, by the model of widths. */
function overhang({ text, x, y, size, isVertical, isCentred }: SvgText): number {
  const length = (isVertical ? Array.from(text).length * 1.04 : widthOfText(text)) * size
  const left = isVertical || isCentred ? x - (isVertical ? size : length) / 2 : x
  const right = isVertical ? x + size / 2 : left + length
  const [top, bottom] = isVertical ? [y, y + length] : [y - size * 0.88, y + size * 0.12]
  return Math.max(0, -left, right - 240.01, -top, bottom - 360)
}

const shapesOf = (svg = '') =>
  /<pattern.*<\/pattern>/.exec(svg)?.[0].replace(/#[0-9a-f]{6}| patternTransform="[^"]*"/g, '')

const coloursOf = (svg = '') => /<pattern.*<\/pattern>/.exec(svg)?.[0].match(/#[0-9a-f]{6}/g)

test.each([
  ['劇場版 鬼滅の刃 無限列車編', '劇場版', '鬼滅の刃', '無限列車編'],
  ['ヤマトよ永遠に REBEL3199 第六章 碧い迷宮', '', 'ヤマトよ永遠に', 'REBEL3199 第六章 碧い迷宮'],
  ['BEASTARS FINAL SEASON Part2', '', 'BEASTARS', 'FINAL SEASON Part2'],
  ['北斗の拳 -FIST OF THE NORTH STAR-', '', '北斗の拳', 'FIST OF THE NORTH STAR'],
  ['異世界食堂2 〜皿〜', '', '異世界食堂2', '皿'],
  ['とある魔術の禁書目録II', '', 'とある魔術の禁書目録II', ''],
  ['ゆるキャン△ 第2期', '', 'ゆるキャン△', '第2期'],
  ['ゆるキャン第2期', '', 'ゆるキャン', '第2期'],
  ['俺の妹がこんなに可愛いわけがない(2期)', '', '俺の妹がこんなに可愛いわけがない', '2期'],
  ['THE IDOLM@STER シンデレラガールズ', '', 'THE IDOLM@STER', 'シンデレラガールズ'],
  ['映画大好きポンポさん', '', '映画大好きポンポさん', ''],
  ['映画ドラえもん のび太の宇宙小戦争', '映画', 'ドラえもん', 'のび太の宇宙小戦争'],
  ['Fate/strange Fake', '', 'Fate/strange Fake', ''],
  ['『SHAMAN KING』ミニアニメ「温泉 繁盛記」 後編', '', '『SHAMAN KING』ミニアニメ「温泉 繁盛記」', '後編'],
  ['ARIA The NATURAL「その 奇跡 に…」', '', 'ARIA The NATURAL「その 奇跡 に…」', ''],
  ['『サクラ革命 ～華咲く乙女たち～』スペシャル', '', '『サクラ革命 ～華咲く乙女たち～』スペシャル', ''],
  ['Three Bears（原題）', '', 'Three Bears', '原題'],
  ['SHIBUYA♡HACHI 「ハチと渋谷」', '', 'SHIBUYA♡HACHI', '「ハチと渋谷」'],
  ['開いた「括弧 のまま', '', '開いた「括弧', 'のまま'],
  ['K RETURN OF KINGS', '', 'K RETURN OF KINGS', ''],
  ['ＡＩＲ', '', 'AIR', ''],
])('the parts of %s', (whole, eyebrow, main, sub) => {
  expect(partsOf(whole)).toEqual({ eyebrow, main, sub })
})

test.each([
  ['薬屋のひとりごと', '薬屋'],
  ['東京喰種', '東京'],
  ['「お前ごときが魔王に勝てると思うな」と', 'お前'],
  ['けいおん！', 'けいおん'],
  ['フリーレン', 'フリー'],
  ['ドラキュラ', 'ドラ'],
  ['SPY×FAMILY', 'SPY'],
  ['TRIGUN STARGAZE', 'TS'],
  ['86', '86'],
  ['∀ガンダム', 'ガ'],
])('%s has the mark %s', (main, mark) => {
  expect(markOf(main)).toBe(mark)
})
