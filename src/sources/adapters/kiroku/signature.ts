import { canonicalJson } from './canonical'

/** What is signed of a manifest: all of it but `signature`, as RFC 8785 writes it, in UTF-8. */
export function signedBytes(manifest: object): Uint8Array<ArrayBuffer> {
  const { signature: _, ...rest } = { signature: undefined, ...manifest }
  return new TextEncoder().encode(canonicalJson(rest))
}

/** Whether a manifest carries an Ed25519 signature (RFC 8032) by one of these keys: raw public keys in Base64. */
export async function isSignedBy(
  keys: readonly string[],
  manifest: { readonly signature: string },
): Promise<boolean> {
  const signature = bytesOf(manifest.signature)
  const checks = keys.map(async (key) => {
    const known = await crypto.subtle.importKey('raw', bytesOf(key), 'Ed25519', false, ['verify'])
    return await crypto.subtle.verify('Ed25519', known, signature, signedBytes(manifest))
  })
  return (await Promise.all(checks)).includes(true)
}

/** Whether a text is a public key as `isSignedBy` takes it. */
export const isPublicKey = (text: string): boolean =>
  /^[A-Za-z0-9+/_-]{43}=?$/.test(text) && bytesOf(text).length === 32

// Also of the alphabet for URLs.
const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
