import type { Random } from '../../lib/secret'

/**
 * A new code for somebody to type: 8 of 20 consonants, so that it spells nothing and no two look alike; 34 bits, which
 * is enough for ten minutes and few guesses (RFC 8628 §6.1, §5.1).
 */
export function createUserCode(random: Random): string {
  let code = ''
  while (code.length < length) {
    // 240 is the largest multiple of 20 in a byte: the bytes above it would favour the first letters.
    for (const byte of random(16)) if (byte < 240 && code.length < length) code += letters.charAt(byte % 20)
  }
  return code
}

/** The code in what somebody typed, whatever its case and whatever stands between its letters. */
export const readUserCode = (text: string): string =>
  [...text.normalize('NFKC').toUpperCase()].filter((letter) => letters.includes(letter)).join('')

/** A code as people read it. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8
