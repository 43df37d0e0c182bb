import { describe, expect, test } from 'bun:test'
import { matchingStep, totpAddress, totpKey } from '../../../src/lib/totp'
import { codeOf } from '../../support/authenticator'

// RFC 6238, appendix B: the key of the examples, and their times with the last six of the eight digits.
const secret = new TextEncoder().encode('12345678901234567890')
const vectors: readonly (readonly [number, string])[] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
]

const at = 1_234_567_890_000
const step = Math.floor(at / 30_000)
const stepOf = (code: string, lastStep = 0) => matchingStep(secret, code, { at, lastStep })
const codeAt = (steps: number) => codeOf(totpKey(secret), at + steps * 30_000)

describe('an authenticator code is refused', () => {
  test.each([-3, -2, 1, 2, 3])('when it is %d steps off', async (steps) => {
    expect(await stepOf(codeAt(steps))).toBeUndefined()
  })

  test('when its step or a later one was used (§2.1)', async () => {
    expect(await stepOf(codeAt(0), step)).toBeUndefined()
    expect(await stepOf(codeAt(-1), step)).toBeUndefined()
    expect(await stepOf(codeAt(-1), step - 1)).toBeUndefined()
  })

  test.each(['', ' ', '00592', '0059244', '89005924', 'abcdef', '005924x', '-5924', '0x1724', '①②③④⑤'])(
    'when it is %p',
    async (code) => {
      expect(await stepOf(code)).toBeUndefined()
    },
  )
})

test.each(vectors)('RFC 6238, appendix B: at %d s the code is %s', async (seconds, code) => {
  const known = await matchingStep(secret, code, { at: seconds * 1000, lastStep: 0 })
  expect(known).toBe(Math.floor(seconds / 30))
  expect(codeOf(totpKey(secret), seconds * 1000)).toBe(code)
})

test('a code is valid in its own step and the next one, because typing takes a while', async () => {
  for (const steps of [-1, 0]) expect(await stepOf(codeAt(steps))).toBe(step + steps)
  expect(await stepOf(codeAt(0), step - 1)).toBe(step)
})

test.each(['005 924', ' 005924 ', '005-924', '００５９２４', '００５　９２４'])(
  'a code may be typed as %p',
  async (code) => {
    expect(await stepOf(code)).toBe(step)
  },
)

test('authenticator applications can read the key and the address of a secret', () => {
  expect(totpKey(secret)).toBe('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')
  expect(totpAddress('kiroku', 'mio@kiroku.example', secret)).toBe(
    'otpauth://totp/kiroku:mio%40kiroku.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=kiroku',
  )
})
