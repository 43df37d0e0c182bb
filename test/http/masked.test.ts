import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { maskedUrl } from '../../src/http/note-answer'
import { fullyDecoded, maskSecrets } from '../../src/lib/masked'

const escaped = (letter: string, times: number, isUpper: boolean) => {
  const hex = letter.charCodeAt(0).toString(16).padStart(2, '0')
  return times === 0 ? letter : `%${'25'.repeat(times - 1)}${isUpper ? hex.toUpperCase() : hex}`
}

test('a secret is masked however its letters are escaped, and nothing around it', () => {
  const around = fc.string({ unit: fc.constantFrom('a', '=', '&', '%', '%2', '記', '\ud83d', '%E8') })
  const ways = fc.array(fc.tuple(fc.nat(3), fc.boolean()), { minLength: 16, maxLength: 16 })
  fc.assert(
    fc.property(around, ways, around, (before, ways, after) => {
      const secret = ways.map((way, at) => escaped('kir_at_JKNOZjkoz'[at] ?? '', ...way)).join('')
      expect(maskSecrets(`${before} ${secret} ${after}`)).toBe(`${before} *** ${after}`)
    }),
  )
})

test('next to Japanese text, whose escapes hide nothing, secrets are masked by form and by name', () => {
  const words = fc.array(fc.constantFrom('%E3%81%82', '%e6%97%a5', 'あ', 'a'), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(
      words.map((each) => each.join('')),
      (word) => {
        const url = (secret: string) => `/${word}?q=${word}&token=${secret}&w=${word}%E3`
        expect(maskedUrl(`http://localhost${url(word)}kir_at_Jk`)).toBe(`${url('***')}***`)
      },
    ),
  )
})

test('decoding continues until nothing is escaped', () => {
  const text = fc.string({
    unit: fc.constantFrom('%', '25', '2', '5', 'F', 'f', 'g', '/', ':', '@', '6', 'ŁA', '\udc00'),
  })
  fc.assert(
    fc.property(text, (text) => {
      const { text: decoded, starts } = fullyDecoded(text)
      expect(decoded).not.toMatch(/%[0-9a-f]{2}/i)
      const pieces = Array.from(decoded, (_, at) => text.slice(starts[at], starts[at + 1] ?? text.length))
      expect(pieces.join('')).toBe(text)
    }),
  )
})
