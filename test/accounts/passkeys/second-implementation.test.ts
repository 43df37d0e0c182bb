import { describe, expect, test } from 'bun:test'
import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { createChallenge, PasskeyRefused } from '../../../src/accounts/passkeys/challenge'
import { readAssertion, readRegistration } from '../../../src/accounts/passkeys/credential'
import { createDevice, type Faults } from '../../support/passkey-device'

const party = { id: 'localhost', origin: 'http://localhost:3000' }
const at = Date.UTC(2026, 3, 1)
const cookie = 'kir_se_1'
const random = (length: number) => new Uint8Array(length).fill(7)

const asked = (purpose: 'add' | 'sign_in') =>
  Buffer.from(createChallenge(random, { purpose, cookie, at })).toString('base64url')

/** `fmt` "none" and `attStmt` {} around the authenticator's data, as browsers send what nobody vouches for (§8.7). */
function attestationObject(authenticatorData: string): string {
  const data = Buffer.from(authenticatorData, 'base64url')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(data.length)
  const head = Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex')
  return Buffer.concat([head, Buffer.of(0x59), length, data]).toString('base64url')
}

/** What the two make of a new passkey: its key if they accept it. */
async function registered(text: string) {
  const json = JSON.parse(text)
  const response = { ...json.response, attestationObject: attestationObject(json.response.authenticatorData) }
  const sent = { ...json, rawId: json.id, type: 'public-key', clientExtensionResults: {}, response }
  const ours = accepted(() =>
    readRegistration(text, { party, purpose: 'add', cookie, at, needsVerification: false }),
  )
  const theirs = await verifyRegistrationResponse({
    response: sent as RegistrationResponseJSON,
    expectedChallenge: asked('add'),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
  }).catch(() => undefined)
  return { ours, theirs: theirs?.verified === true ? theirs.registrationInfo?.credential : undefined }
}

interface Keys {
  readonly spki: Uint8Array
  readonly cose: Uint8Array<ArrayBuffer>
}

/** Whether each of the two lets it in. */
async function believed(text: string, { spki, cose }: Keys) {
  const json = JSON.parse(text)
  const sent = { ...json, rawId: json.id, type: 'public-key', clientExtensionResults: {} }
  const ours = accepted(() =>
    readAssertion(text, { party, purpose: 'sign_in', cookie, at, needsVerification: true }),
  )
  const theirs = await verifyAuthenticationResponse({
    response: sent as AuthenticationResponseJSON,
    expectedChallenge: asked('sign_in'),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: json.id, publicKey: cose, counter: 0 },
    requireUserVerification: true,
  }).catch(() => undefined)
  return [ours?.isSignedBy(spki) === true, theirs?.verified === true]
}

function accepted<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof PasskeyRefused) return undefined
    throw cause
  }
}

/** With one bit of one part changed. */
function changed(text: string, part: string, place: number): string {
  const json = JSON.parse(text)
  const bytes = Buffer.from(json.response[part], 'base64url')
  bytes[place] = (bytes[place] ?? 0) ^ (1 << (place % 8))
  return JSON.stringify({ ...json, response: { ...json.response, [part]: bytes.toString('base64url') } })
}

const lengthOf = (text: string, part: string) =>
  Buffer.from(JSON.parse(text).response[part], 'base64url').length

const faults: Readonly<Record<string, Faults>> = {
  'another type': { type: 'webauthn.create' },
  'another challenge': { challenge: asked('add') },
  'another origin': { origin: 'https://evil.example' },
  'another host': { rpId: 'evil.example' },
  'nobody present': { isPresent: false },
  'nobody verified': { isVerified: false },
  'a backup that cannot be': { isEligible: false, isBackedUp: true },
  'the signature of another key': { signer: createDevice() },
}

describe.each(['ES256', 'EdDSA', 'RS256'] as const)(
  'D101: another implementation (@simplewebauthn/server) judges as ours, with %s',
  (algorithm) => {
    const options = { user: { id: 'AAAA' }, rp: { id: party.id }, rpId: party.id }
    const make = async () => {
      const device = createDevice({ algorithm })
      const { ours, theirs } = await registered(device.create({ ...options, challenge: asked('add') }))
      if (ours === undefined || theirs === undefined) throw new Error('a passkey in order was refused')
      const keys = { spki: ours.publicKey, cose: theirs.publicKey }
      return {
        device,
        keys,
        get: (fault: Faults = {}) => device.get({ ...options, challenge: asked('sign_in') }, fault),
      }
    }

    test('the same bytes are accepted by both', async () => {
      const { keys, get } = await make()
      expect(await believed(get(), keys)).toEqual([true, true])
    })

    test('and refused by both with any bit changed, or with what a thief could send', async () => {
      const { keys, get } = await make()
      const text = get()
      const looser: string[] = []
      for (const part of ['clientDataJSON', 'authenticatorData', 'signature'])
        for (let place = 0; place < lengthOf(text, part); place += 1) {
          const [ours, theirs] = await believed(changed(text, part, place), keys)
          // The other takes some signatures whose DER is not quite in order, such as a shorter length around the two numbers.
          const isTolerated = algorithm === 'ES256' && part === 'signature'
          if (ours || (theirs && !isTolerated)) looser.push(`${part} ${place}: ${ours}, ${theirs}`)
        }
      for (const [name, fault] of Object.entries(faults)) {
        const verdicts = await believed(get(fault), keys)
        if (verdicts.includes(true)) looser.push(`${name}: ${verdicts}`)
      }
      expect(looser).toEqual([])
    })

    test('nor do we take a new passkey that the other refuses', async () => {
      const text = createDevice({ algorithm }).create({ ...options, challenge: asked('add') })
      const looser: string[] = []
      let refused = 0
      for (const part of ['clientDataJSON', 'authenticatorData'])
        for (let place = 0; place < lengthOf(text, part); place += 1) {
          const { ours, theirs } = await registered(changed(text, part, place))
          refused += ours === undefined ? 1 : 0
          if (ours !== undefined && theirs === undefined) looser.push(`${part} ${place}`)
        }
      expect(looser).toEqual([])
      expect(refused).toBeGreaterThan(lengthOf(text, 'clientDataJSON') / 2)
    })
  },
)
