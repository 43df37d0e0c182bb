import type { Random } from '../../lib/secret'

/** 20 consonants: no words, no look-alikes; 34 bits withstand 10 minutes of throttled guesses (RFC 8628 §6.1, §5.1). */
export function createUserCode(random: Random): string {
  let code = ''
  while (code.length < length) {
    // 240 is the largest multiple of 20 that fits in a byte: higher bytes would favour the first letters.
    for (const byte of random(16)) if (byte < 240 && code.length < length) code += letters.charAt(byte % 20)
  }
  return code
}

export const readUserCode = (text: string): string =>
  [...text.normalize('NFKC').toUpperCase()].filter((letter) => letters.includes(letter)).join('')

export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8
