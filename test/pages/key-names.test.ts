import { expect, test } from 'bun:test'
import { keySequences, pressedKey } from '../../src/pages/script/key-names'

test.each([
  ['a letter', 'r', 'KeyR', false, 'r'],
  ['a capital letter', 'R', 'KeyR', true, 'R'],
  ['a letter with Caps Lock', 'R', 'KeyR', false, 'r'],
  ['z on a French keyboard', 'z', 'KeyW', false, 'z'],
  ['y on a German keyboard', 'y', 'KeyZ', false, 'y'],
  ['kana', 'つ', 'KeyZ', false, 'z'],
  ['kana with Shift', 'っ', 'KeyZ', true, 'Z'],
  ['Cyrillic', 'я', 'KeyZ', false, 'z'],
  ['a sign where others have a letter', ';', 'KeyZ', false, ''],
  ['/', '/', 'Slash', false, '/'],
  ['?', '?', 'Slash', true, '?'],
  ['/ on a German keyboard', '/', 'Digit7', true, '/'],
  ['? on a German keyboard', '?', 'Minus', true, '?'],
  ['- where others have /', '-', 'Slash', false, ''],
  ['kana where / is', 'め', 'Slash', false, '/'],
  ['a digit', '4', 'Digit4', false, '4'],
  ['a digit of the number pad', '4', 'Numpad4', false, '4'],
  ['the number pad without numbers', 'ArrowLeft', 'Numpad4', false, ''],
  ['a digit of a French keyboard', '&', 'Digit1', false, '1'],
  ['a sign above a digit', '$', 'Digit4', true, ''],
  ['0', '0', 'Digit0', false, '0'],
  ['[', '[', 'BracketLeft', false, '['],
  ['[ on a Japanese keyboard', '[', 'BracketRight', false, '['],
  ['a letter where others have [', 'ü', 'BracketLeft', false, '['],
  ['a dead key where others have [', 'Dead', 'BracketLeft', false, '['],
  ['Escape', 'Escape', 'Escape', false, 'Escape'],
  ['F5', 'F5', 'F5', false, ''],
  ['Space', ' ', 'Space', false, ''],
])('%s (%p, %s, Shift %p) is %p', (_, key, code, shiftKey, name) => {
  expect(pressedKey({ key, code, shiftKey })).toBe(name)
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
