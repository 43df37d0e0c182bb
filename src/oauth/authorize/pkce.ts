/** How a verifier looks, and a challenge that S256 makes of it (RFC 7636 §4.1, §4.2). */
export const verifierPattern = /^[\w.~-]{43,128}$/
export const challengePattern = /^[\w-]{43}$/

/** The challenge of a verifier (RFC 7636 §4.2, S256). */
export const challengeOf = (verifier: string): string =>
  new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')

/** A new verifier: 43 characters, 256 random bits (RFC 7636 §4.1). */
export const createVerifier = (random: (length: number) => Uint8Array<ArrayBuffer>): string =>
  random(32).toBase64({ alphabet: 'base64url', omitPadding: true })
