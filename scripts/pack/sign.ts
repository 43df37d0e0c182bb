import { readFileSync, writeFileSync } from 'node:fs'
import type { PackManifest } from '../../src/sources/adapters/kiroku/manifest'
import { signedBytes } from '../../src/sources/adapters/kiroku/signature'

/** `bun run pack keys FILE`: writes a private key that only its owner can read, and returns the public one. */
export async function makeKeys(file: string): Promise<string> {
  const { publicKey, privateKey } = await newPair()
  const exported = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey))
  writeFileSync(file, `${exported.toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  return Buffer.from(await crypto.subtle.exportKey('raw', publicKey)).toString('base64')
}

/** Reads a key from a file, or else from `KIROKU_PACK_KEY`; undefined if there is neither. PKCS #8 in Base64. */
export async function readKey(file: string | undefined): Promise<CryptoKey | undefined> {
  const text = file === undefined ? process.env.KIROKU_PACK_KEY : readFileSync(file, 'utf8')
  if (text === undefined || text === '') return undefined
  return await crypto.subtle.importKey('pkcs8', Buffer.from(text, 'base64'), 'Ed25519', false, ['sign'])
}

export async function signed(
  manifest: Omit<PackManifest, 'signature'>,
  key: CryptoKey,
): Promise<PackManifest> {
  const signature = await crypto.subtle.sign('Ed25519', key, signedBytes(manifest))
  return { ...manifest, signature: Buffer.from(signature).toString('base64') }
}

async function newPair(): Promise<CryptoKeyPair> {
  const made = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  if (!('publicKey' in made)) throw new Error('no pair of keys')
  return made
}
