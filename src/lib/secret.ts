import { alphabet, constantTimeEqual } from 'oslo/crypto'

/**
 * What a secret is for: an access token, a personal access token, a client secret, an authorization code (D49); a
 * device code, a link that is good once, an invitation; a session, a browser that is known, a page's pending question.
 */
export type SecretKind = 'at' | 'pat' | 'cs' | 'ac' | 'dc' | 'ln' | 'iv' | 'se' | 'br' | 'pq'

/** How every secret looks, for secret scanners and for masking (ST-05). */
export const secretPattern = /kir_(?:at|pat|cs|ac|dc|ln|iv|se|br|pq)_[0-9A-Za-z]{49}/

/** Cryptographically random bytes. */
export type Random = (length: number) => Uint8Array

/** A new secret (D49, ST-04): `kir_<kind>_`, 43 random base-62 digits (256 bits) and 6 digits of their checksum. */
export function createSecret(kind: SecretKind, random: Random): string {
  const body = randomDigits(43, random)
  return `kir_${kind}_${body}${checksum(body)}`
}

/** Whether the text can be a secret of that kind: tells most typing errors without a look into the database (ST-04). */
export function checkSecret(kind: SecretKind, text: string): boolean {
  const prefix = `kir_${kind}_`
  const body = text.slice(prefix.length, -6)
  return text.startsWith(prefix) && /^[0-9A-Za-z]{43}$/.test(body) && text.endsWith(checksum(body))
}

/**
 * SHA-256 of the text, 32 bytes: the only form in which a secret is stored (ST-01). Secrets are 256 random bits, so a
 * slow hash would protect nothing (ST-03). Not oslo's sha256, which is the same one made to wait.
 */
export function hashSecret(text: string): Uint8Array {
  return Uint8Array.from(new Bun.CryptoHasher('sha256').update(text).digest())
}

/** Whether two hashes are equal, in a time that does not depend on where they differ (ST-02). */
export const sameHash = (one: Uint8Array, other: Uint8Array): boolean => constantTimeEqual(one, other)

const digits = alphabet('0-9', 'A-Z', 'a-z')

function randomDigits(length: number, random: Random): string {
  let text = ''
  while (text.length < length) {
    // 248 is the largest multiple of 62 in a byte: the bytes above it would favour the first digits.
    for (const byte of random(64)) if (byte < 248 && text.length < length) text += digits.charAt(byte % 62)
  }
  return text
}

function checksum(body: string): string {
  let text = ''
  for (let rest = Bun.hash.crc32(body); rest > 0; rest = Math.floor(rest / 62)) {
    text = digits.charAt(rest % 62) + text
  }
  return text.padStart(6, '0')
}
