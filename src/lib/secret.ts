import { alphabet, constantTimeEqual } from 'oslo/crypto'

/**
 * Tokens, client secrets, codes (D49), one-time links, invitations, sessions, known browsers (`br`), consent requests
 * (`pq`), calendar feeds (`fd`), addresses of players (`hk`), addresses that end the e-mails of the morning (`un`).
 */
export type SecretKind =
  | 'at'
  | 'pat'
  | 'cs'
  | 'ac'
  | 'dc'
  | 'ln'
  | 'iv'
  | 'se'
  | 'br'
  | 'pq'
  | 'fd'
  | 'hk'
  | 'un'

export const secretPattern = /kir_(?:at|pat|cs|ac|dc|ln|iv|se|br|pq|fd|hk|un)_[0-9A-Za-z]{49}/

export type Random = (length: number) => Uint8Array

/** D49, ST-04: `kir_<kind>_`, 43 random base-62 digits (256 bits) and a checksum of 6 digits. */
export function createSecret(kind: SecretKind, random: Random): string {
  const body = randomDigits(43, random)
  return `kir_${kind}_${body}${checksum(body)}`
}

/** The checksum catches most typing errors without a query (ST-04). */
export function checkSecret(kind: SecretKind, text: string): boolean {
  const prefix = `kir_${kind}_`
  const body = text.slice(prefix.length, -6)
  return text.startsWith(prefix) && /^[0-9A-Za-z]{43}$/.test(body) && text.endsWith(checksum(body))
}

/** Secrets are 256 random bits: a slow hash would add nothing (ST-01, ST-03). oslo's sha256 is asynchronous. */
export function hashSecret(text: string): Uint8Array {
  return Uint8Array.from(new Bun.CryptoHasher('sha256').update(text).digest())
}

/** Constant-time comparison (ST-02). */
export const sameHash = (one: Uint8Array, other: Uint8Array): boolean => constantTimeEqual(one, other)

const digits = alphabet('0-9', 'A-Z', 'a-z')

function randomDigits(length: number, random: Random): string {
  let text = ''
  while (text.length < length) {
    // 248 is the largest multiple of 62 that fits in a byte: higher bytes would favour the first digits.
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
