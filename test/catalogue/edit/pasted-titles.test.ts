import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type PastedTitle, PasteProblem, readPastedTitles } from '../../../src/catalogue/edit/pasted-titles'
import { inEnglish } from '../../../src/messages/languages'

const read = (text: string, from = 1): string[] => {
  const titles = readPastedTitles(text, from)
  if (titles instanceof PasteProblem) return [`line ${titles.line}: ${inEnglish(titles.rule)}`]
  return titles.map(({ number, title }) => `${number} ${title}`)
}

test('one title a line counts on from the given number', () => {
  expect(read('追う者たち\r\n花の都\n占者のまなざし\n', 5)).toEqual([
    '5 追う者たち',
    '6 花の都',
    '7 占者のまなざし',
  ])
})

test('a line names its number in four ways, and the lines after it count on from there', () => {
  expect(read('3 三つ目\n四つ目', 1)).toEqual(['3 三つ目', '4 四つ目'])
  expect(read('#3 三つ目\n#05「五つ目」\n六つ目')).toEqual(['3 三つ目', '5 五つ目', '6 六つ目'])
  expect(read('第3話「三つ目」\n第４話　四つ目\n第5話：五つ目\n第6回『六つ目』')).toEqual([
    '3 三つ目',
    '4 四つ目',
    '5 五つ目',
    '6 六つ目',
  ])
  expect(read('3\t三つ目\t10月20日')).toEqual(['3 三つ目 10月20日'])
  expect(read('１３ 総集編の前\n13.5 総集編\n最終回の前')).toEqual([
    '13 総集編の前',
    '13.5 総集編',
    '14 最終回の前',
  ])
})

test('an empty line leaves that episode as it is, and so does a number without a title', () => {
  expect(read('一つ目\n\n　\n四つ目')).toEqual(['1 一つ目', '4 四つ目'])
  expect(read('第7話\n八つ目')).toEqual(['8 八つ目'])
})

test('what only looks like a number stays a title', () => {
  expect(read('100万人の夜\n7\n2.5次元\n第三の男\n#vanlife\n「A」と「B」')).toEqual([
    '1 100万人の夜',
    '2 7',
    '3 2.5次元',
    '4 第三の男',
    '5 #vanlife',
    '6 「A」と「B」',
  ])
})

test('a pasted list is refused with the line and the rule that it breaks', () => {
  expect(read('3 一度\n3 もう一度')).toEqual(['line 2: repeats number 3'])
  expect(read('9999 遠い')).toEqual(['line 1: must have a number up to 2000'])
  expect(read('題', 2001)).toEqual(['line 1: must have a number up to 2000'])
  expect(read(`題\n${'長'.repeat(1001)}`)).toEqual(['line 2: must be at most 1000 characters long'])
  expect(read('題\n\u202eあべこべ')).toEqual([
    'line 2: must have a visible character, and neither line breaks nor control characters',
  ])
  expect(read('題\n'.repeat(2000))).toHaveLength(2000)
  expect(read(`${'\n'.repeat(2000)}題`)).toEqual(['line 2001: is beyond 2000 lines'])
})

test('titles written in any of the ways are read back with their numbers', () => {
  const written = fc.record({
    gap: fc.integer({ min: 1, max: 5 }),
    title: fc.stringMatching(/^[ぁ-んa-z]{1,12}( [ぁ-んa-z]{1,8})?$/),
    way: fc.constantFrom(
      (n: string, title: string) => `${n} ${title}`,
      (n: string, title: string) => `#${n} ${title}`,
      (n: string, title: string) => `第${n}話「${title}」`,
      (n: string, title: string) => `${n}\t${title}`,
      (_: string, title: string) => title,
    ),
    isWide: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(written, { maxLength: 30 }), fc.integer({ min: 0, max: 1800 }), (lines, from) => {
      let number = from - 1
      const expected: Omit<PastedTitle, 'line'>[] = []
      const text = lines.map(({ gap, title, way, isWide }) => {
        const isUnnumbered = way('0', 'a') === 'a'
        number += isUnnumbered ? 1 : gap
        expected.push({ number: String(number), title })
        const wide = String(number).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
        return way(isWide ? wide : String(number), title)
      })
      expect(read(text.join('\n'), from)).toEqual(expected.map((one) => `${one.number} ${one.title}`))
    }),
    { numRuns: 200 },
  )
})
