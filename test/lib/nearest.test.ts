import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { editDistance, nearest } from '../../src/lib/nearest'

test.each([
  ['prot', 'port'],
  ['base_url', 'base-url'],
  ['Registraton', 'registration'],
  ['rate-limits', 'rate-limit'],
  ['x', undefined],
  ['elsewhere', undefined],
])('the nearest option to %s is %p', (word, expected) => {
  expect(nearest(word, ['port', 'host', 'base-url', 'registration', 'rate-limit'])).toBe(expected)
})

test('the distance is 0 only for equal words, symmetric, and at most the length of the longer word', () => {
  const word = fc.string({ maxLength: 12 })
  fc.assert(
    fc.property(word, word, (one, two) => {
      const distance = editDistance(one, two)
      expect(distance === 0).toBe(one === two)
      expect(editDistance(two, one)).toBe(distance)
      expect(distance).toBeLessThanOrEqual(Math.max(one.length, two.length))
      expect(distance).toBeGreaterThanOrEqual(Math.abs(one.length - two.length))
    }),
  )
})

test('one letter added, removed, replaced or swapped with its neighbour is a distance of 1', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 2, maxLength: 10 }), fc.nat(8), (word, at) => {
      const index = at % (word.length - 1)
      const [before, after] = [word.slice(0, index), word.slice(index + 1)]
      expect(editDistance(word, before + after)).toBe(1)
      expect(editDistance(word, `${before}\u0000${after}`)).toBe(word[index] === '\u0000' ? 0 : 1)
      const swapped = before + word[index + 1] + word[index] + word.slice(index + 2)
      expect(editDistance(word, swapped)).toBe(word === swapped ? 0 : 1)
    }),
  )
})
