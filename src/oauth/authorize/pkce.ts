import { matching } from '../../values/text'

/** RFC 7636 §4.1, §4.2 */
export const verifier = matching('^[\\w.~-]{43,128}$', (t) => t.values.codeVerifier)
export const challenge = matching('^[\\w-]{43}$', (t) => t.values.codeChallenge)

/** S256 (RFC 7636 §4.2) */
export const challengeOf = (verifier: string): string =>
  new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')

/** 43 characters, 256 random bits (RFC 7636 §4.1). */
export const createVerifier = (random: (length: number) => Uint8Array<ArrayBuffer>): string =>
  random(32).toBase64({ alphabet: 'base64url', omitPadding: true })
