import { expect, test } from 'bun:test'
import { escaped, folded } from '../../src/viewing/feeds/ics'

test('text is escaped, and folded between characters at each octet', () => {
  expect(escaped('a\\b;c,d\r\ne\nf')).toBe('a\\\\b\\;c\\,d\\ne\\nf')
  for (const character of ['a', 'é', '作', '🍥'])
    for (let before = 0; before < 80; before++) {
      const line = `${'x'.repeat(before)}${character.repeat(80)}`
      const lines = folded(line).split('\r\n')
      expect(lines.every((one) => Buffer.byteLength(one) <= 75)).toBe(true)
      expect(lines.map((one, n) => (n === 0 ? one : one.slice(1))).join('')).toBe(line)
      expect(lines.slice(1).every((one) => one.startsWith(' '))).toBe(true)
    }
})
