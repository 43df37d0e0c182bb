/** The signed bytes of a manifest: all of it but `signature`, in canonical form (RFC 8785), as UTF-8. */
export function signedBytes(manifest: object): Uint8Array<ArrayBuffer> {
  const { signature: _, ...rest } = { signature: undefined, ...manifest }
  return new TextEncoder().encode(canonicalJson(rest))
}

/** JSON in canonical form (RFC 8785): no spaces, keys ordered by UTF-16 units. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isObject(inner) ? sorted(inner) : inner))
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sorted = (object: object) =>
  Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Whether the manifest has an Ed25519 signature (RFC 8032) by one of these keys: raw public keys in Base64. */
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

/** Whether the text is a public key that `isSignedBy` accepts. */
export const isPublicKey = (text: string): boolean =>
  /^[A-Za-z0-9+/_-]{43}=?$/.test(text) && bytesOf(text).length === 32

// Also accepts the URL-safe alphabet.
const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
