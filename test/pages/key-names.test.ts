import { expect, test } from 'bun:test'
import { keySequences, pressedKey } from '../../src/pages/script/key-names'

test.each([
  ['KeyR', false, 'r'],
  ['KeyR', true, 'R'],
  ['Slash', false, '/'],
  ['Slash', true, '?'],
  ['Digit4', false, '4'],
  ['Numpad4', false, '4'],
  ['Digit4', true, ''],
  ['Digit0', false, ''],
  ['BracketLeft', false, '['],
  ['Escape', false, 'Escape'],
  ['F5', false, ''],
  ['Space', false, ''],
])('%s with Shift %p is %p', (code, shiftKey, key) => {
  expect(pressedKey({ code, shiftKey })).toBe(key)
})

/** Keys with their times in milliseconds, and the result of each. */
const joined = (keys: readonly (readonly [key: string, at: number])[]) => {
  const join = keySequences()
  return keys.map(([key, at]) => join(key, at))
}

test.each([
  [
    [
      ['g', 0],
      ['t', 500],
    ],
    ['', 'g t'],
  ],
  [
    [
      ['g', 0],
      ['t', 1501],
    ],
    ['', 't'],
  ],
  [
    [
      ['s', 0],
      ['3', 10],
      ['3', 20],
    ],
    ['', 's 3', '3'],
  ],
  [
    [
      ['g', 0],
      ['g', 10],
      ['t', 20],
    ],
    ['', 'g g', 't'],
  ],
  [
    [
      ['j', 0],
      ['g', 10],
    ],
    ['j', ''],
  ],
] as const)('%j are %j', (keys, expected) => {
  expect(joined(keys)).toEqual([...expected])
})
