import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { Body } from './instance'
import { hiddenInputs, type Page, type Visitor } from './visitor'

type Algorithm = 'ES256' | 'EdDSA' | 'RS256'

/** What an answer may have otherwise than it should: each is a fault of somebody. */
export interface Faults {
  readonly type?: string
  readonly challenge?: string
  readonly origin?: string
  readonly crossOrigin?: boolean
  readonly rpId?: string
  readonly isPresent?: boolean
  readonly isVerified?: boolean
  readonly isEligible?: boolean
  readonly isBackedUp?: boolean
  readonly counter?: number
  readonly userHandle?: string | null
  readonly id?: Buffer
  /** Signs with the key of another device. */
  readonly signer?: PasskeyDevice
}

export interface PasskeyDevice {
  readonly id: Buffer
  readonly key: KeyObject
  counter: number
  /** The texts that a browser would send as `credential`. */
  create(options: Body, faults?: Faults): string
  get(options: Body, faults?: Faults): string
}

/** Something that makes and holds one passkey (WebAuthn level 3, §6), written apart from the product. */
export function createDevice({
  algorithm = 'ES256' as Algorithm,
  isVerified = true,
  isEligible = true,
  isBackedUp = false,
  counts = true,
  origin = 'http://localhost:3000',
  transports = ['internal'],
} = {}): PasskeyDevice {
  const { privateKey, publicKey } = pairOf(algorithm)
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(32)))
  let handle = ''
  const device: PasskeyDevice = {
    ...{ id, key: privateKey, counter: 0 },
    create: (options, faults = {}) => {
      handle = options.user.id
      const credential = Buffer.concat([
        Buffer.alloc(16),
        uint16(id.length),
        faults.id ?? id,
        cose(algorithm, publicKey),
      ])
      const data = authenticatorData(options.rp.id, faults, credential)
      const response = {
        clientDataJSON: clientData('webauthn.create', options, faults),
        authenticatorData: text(data),
      }
      return JSON.stringify({ id: text(id), response: { ...response, transports } })
    },
    get: (options, faults = {}) => {
      const data = authenticatorData(options.rpId, faults, Buffer.alloc(0))
      const client = clientData('webauthn.get', options, faults)
      const hash = new Bun.CryptoHasher('sha256').update(Buffer.from(client, 'base64url')).digest()
      const signer = faults.signer?.key ?? privateKey
      const signature = sign(algorithm === 'EdDSA' ? null : 'sha256', Buffer.concat([data, hash]), signer)
      const userHandle = faults.userHandle === undefined ? handle : faults.userHandle
      const response = { clientDataJSON: client, authenticatorData: text(data), signature: text(signature) }
      return JSON.stringify({ id: text(faults.id ?? id), response: { ...response, userHandle } })
    },
  }
  const clientData = (type: string, { challenge }: Body, faults: Faults) =>
    text(Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...given(faults) })))
  const authenticatorData = (rpId: string, faults: Faults, credential: Buffer) => {
    device.counter += counts ? 1 : 0
    const flags =
      (faults.isPresent === false ? 0 : 0x01) |
      ((faults.isVerified ?? isVerified) ? 0x04 : 0) |
      ((faults.isEligible ?? isEligible) ? 0x08 : 0) |
      ((faults.isBackedUp ?? isBackedUp) ? 0x10 : 0) |
      (credential.length > 0 ? 0x40 : 0)
    const hash = new Bun.CryptoHasher('sha256').update(faults.rpId ?? rpId).digest()
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(faults.counter ?? device.counter)
    return Buffer.concat([hash, Buffer.of(flags), counter, credential])
  }
  return device
}

const given = ({ type, challenge, origin, crossOrigin }: Faults) =>
  Object.fromEntries(
    Object.entries({ type, challenge, origin, crossOrigin }).filter(([, value]) => value !== undefined),
  )

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

const uint16 = (value: number) => Buffer.of(value >> 8, value & 255)

function pairOf(algorithm: Algorithm) {
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519')
  if (algorithm === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 })
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

/** RFC 9052 §7 and RFC 8230 §4, in CBOR. */
function cose(algorithm: Algorithm, key: KeyObject): Buffer {
  const { x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' }) as Record<string, string>
  const bytes = (value: string) => Buffer.from(value, 'base64url')
  const hex = (value: string) => Buffer.from(value, 'hex')
  if (algorithm === 'EdDSA') return Buffer.concat([hex('a401010327200621' + '5820'), bytes(x)])
  if (algorithm === 'RS256')
    return Buffer.concat([hex('a401030339010020' + '590100'), bytes(n), hex('2143'), bytes(e)])
  return Buffer.concat([hex('a5010203262001215820'), bytes(x), hex('225820'), bytes(y)])
}

/** What the form for `action` asks a device for. */
export function optionsIn(page: Page, action: string): Body {
  const [, json = ''] =
    new RegExp(`action="${action}"[^>]*data-options="([^"]*)"`).exec(page.text) ?? expectForm(page, action)
  return JSON.parse(json.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))))
}

function expectForm({ status, location }: Page, action: string): never {
  throw new Error(`no form asks a device for ${action}: ${status} ${location}`)
}

/** Opens a page, lets the device answer, and sends the form, as the script does. */
export async function answer(
  visitor: Visitor,
  { page: target, action }: { page: string; action: string },
  reply: (options: Body) => string,
): Promise<Page> {
  const page = await visitor.open(target)
  const inputs = hiddenInputs(page.text, action)
  return await visitor.post(action, { ...inputs, credential: reply(optionsIn(page, action)) })
}

/** Adds the device's passkey to the member's account. */
export const addDevice = (member: Visitor, device: PasskeyDevice, faults: Faults = {}): Promise<Page> =>
  answer(member, { page: '/settings/passkeys', action: '/settings/passkeys' }, (options) =>
    device.create(options, faults),
  )

export const signInBy = (visitor: Visitor, device: PasskeyDevice, faults: Faults = {}): Promise<Page> =>
  answer(visitor, { page: '/sign_in', action: '/sign_in/passkey' }, (options) => device.get(options, faults))
