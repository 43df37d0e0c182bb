import type { Config } from '../config'
import type { Deps } from '../deps'
import { FetchRefused } from '../fetching/refused'
import { isLoopback } from '../lib/network'
import type { Language } from '../messages/languages'

/** Identifies this instance to the servers of browsers (RFC 8292). It is in backups: without it, all would have to ask again. */
export interface PushKeys {
  /** Base64url of the uncompressed point, as browsers want it. */
  readonly publicKey: string
  /** PKCS #8, base64url. */
  readonly privateKey: string
  /** Whom the server of a browser may write to. */
  readonly contact: string
}

/** Whether browsers can be told: only those of a secure origin can (W3C Secure Contexts). */
const canPush = ({
  webPush,
  noWorker,
  baseUrl,
}: Pick<Config, 'webPush' | 'noWorker' | 'baseUrl'>): boolean => {
  const { protocol, hostname } = new URL(baseUrl)
  return webPush && !noWorker && (protocol === 'https:' || hostname === 'localhost' || isLoopback(hostname))
}

const name = 'push_keys'

/** Made when they are first needed. Undefined unless the operator wants it (`--web-push`). */
export async function pushKeys({
  readBare,
  write,
  config,
}: Pick<Deps, 'readBare' | 'write' | 'config'>): Promise<PushKeys | undefined> {
  if (!canPush(config)) return undefined
  const [row] = await readBare.selectFrom('instance').select('value').where('name', '=', name).execute()
  const kept: Pick<PushKeys, 'publicKey' | 'privateKey'> = JSON.parse(row?.value ?? (await makeKeys(write)))
  return { ...kept, contact: config.baseUrl }
}

/** Of two at once, the first ones stay. */
async function makeKeys(write: Deps['write']): Promise<string> {
  const pair = await crypto.subtle.generateKey(signing, true, ['sign'])
  const text = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url')
  const value = JSON.stringify({
    publicKey: text(await crypto.subtle.exportKey('raw', pair.publicKey)),
    privateKey: text(await crypto.subtle.exportKey('pkcs8', pair.privateKey)),
  })
  return await write(async (tx) => {
    await tx
      .insertInto('instance')
      .values({ name, value })
      .onConflict((row) => row.doNothing())
      .execute()
    const kept = tx.selectFrom('instance').select('value').where('name', '=', name)
    return (await kept.executeTakeFirstOrThrow()).value
  })
}

const signing = { name: 'ECDSA', namedCurve: 'P-256' } as const
const agreeing = { name: 'ECDH', namedCurve: 'P-256' } as const

/** What a browser gave to be told: its address, its key and its secret, base64url. */
export interface PushTarget {
  readonly url: string
  readonly p256dh: string
  readonly auth: string
}

/** Throws a `FetchRefused` if they are no key and no secret. */
export function checkPushTarget({ p256dh, auth }: PushTarget): void {
  const [point, secret] = [p256dh, auth].map((text) => Buffer.from(text, 'base64url'))
  if (point?.length !== 65 || point[0] !== 4 || secret?.length !== 16)
    throw new FetchRefused('not_allowed', 'no keys of a browser')
}

export interface PushText {
  readonly title: string
  readonly body: string
  /** Where a press on it leads. */
  readonly navigate: string | undefined
  readonly tag: string
  readonly lang: Language
}

/** Of the whole message; servers of browsers take 4,096. */
const mostBytes = 3000
/** Seconds that a server keeps it for a device that is off. */
const keptFor = 43_200

/** A request that only that browser can read. `now`: epoch milliseconds. */
export async function pushRequest(
  target: PushTarget,
  text: PushText,
  { keys, now }: { keys: PushKeys; now: number },
) {
  const body = await encrypted(target, new TextEncoder().encode(fitting(text)))
  const headers = {
    'Content-Encoding': 'aes128gcm',
    'Content-Type': 'application/octet-stream',
    TTL: String(keptFor),
    Authorization: `vapid t=${await token(new URL(target.url).origin, keys, now)}, k=${keys.publicKey}`,
  }
  return { url: target.url, headers, body }
}

/** As https://www.w3.org/TR/push-api/#declarative-push-message, which some browsers show by themselves. */
function fitting(text: PushText): string {
  const json = (body: string) => JSON.stringify({ web_push: 8030, notification: { ...text, body } })
  const points = [...text.body]
  const isShort = (length: number) => Buffer.byteLength(json(points.slice(0, length).join(''))) <= mostBytes
  let length = points.length
  while (length > 0 && !isShort(length)) length -= Math.max(1, Math.floor(length / 16))
  return json(points.slice(0, length).join(''))
}

/** RFC 8292 §2. Valid for 12 of at most 24 hours. */
async function token(audience: string, { privateKey, contact }: PushKeys, now: number): Promise<string> {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { aud: audience, exp: Math.floor(now / 1000) + keptFor, sub: contact }
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`
  const key = await crypto.subtle.importKey('pkcs8', bytesOf(privateKey), signing, false, ['sign'])
  const how = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = await crypto.subtle.sign(how, key, new TextEncoder().encode(signed))
  return `${signed}.${Buffer.from(signature).toString('base64url')}`
}

/** RFC 8291 §3.4, RFC 8188 §2: one record. */
async function encrypted({ p256dh, auth }: PushTarget, text: Uint8Array<ArrayBuffer>) {
  const theirs = bytesOf(p256dh)
  const pair = await crypto.subtle.generateKey(agreeing, true, ['deriveBits'])
  const ours = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  const their = await crypto.subtle.importKey('raw', theirs, agreeing, false, [])
  const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: their }, pair.privateKey, 256)
  const info = joined(encoder.encode('WebPush: info\0'), theirs, ours)
  const secret = await derived(new Uint8Array(shared), { salt: bytesOf(auth), info, length: 32 })
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const [bits, iv] = await Promise.all([
    derived(secret, { salt, info: encoder.encode('Content-Encoding: aes128gcm\0'), length: 16 }),
    derived(secret, { salt, info: encoder.encode('Content-Encoding: nonce\0'), length: 12 }),
  ])
  const key = await crypto.subtle.importKey('raw', bits, 'AES-GCM', false, ['encrypt'])
  // 2 ends the last record.
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, joined(text, new Uint8Array([2])))
  const recordSize = new Uint8Array([0, 0, 16, 0])
  return joined(salt, recordSize, new Uint8Array([ours.length]), ours, new Uint8Array(sealed))
}

interface Derivation {
  readonly salt: Uint8Array<ArrayBuffer>
  readonly info: Uint8Array<ArrayBuffer>
  /** In bytes. */
  readonly length: number
}

/** RFC 5869 with SHA-256. */
async function derived(from: Uint8Array<ArrayBuffer>, { salt, info, length }: Derivation) {
  const key = await crypto.subtle.importKey('raw', from, 'HKDF', false, ['deriveBits'])
  const how = { name: 'HKDF', hash: 'SHA-256', salt, info }
  return new Uint8Array(await crypto.subtle.deriveBits(how, key, length * 8))
}

const encoder = new TextEncoder()

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64url'))

const joined = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.concat(parts))
