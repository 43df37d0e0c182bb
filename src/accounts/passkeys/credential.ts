import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import {
  ClientDataType,
  type COSEPublicKey,
  coseAlgorithmEdDSA,
  coseAlgorithmES256,
  coseAlgorithmRS256,
  coseEllipticCurveEd25519,
  coseEllipticCurveP256,
  createAssertionSignatureMessage,
  parseAuthenticatorData,
  parseClientDataJSON,
} from '@oslojs/webauthn'
import Type from 'typebox'
import { checkOf } from '../../values/value'
import { isChallenge, type PasskeyPurpose, PasskeyRefused } from './challenge'
import type { RelyingParty } from './relying-party'

/** What an answer must match; `needsVerification`: the device checked who holds it. */
export interface ExpectedAnswer {
  readonly party: RelyingParty
  readonly purpose: PasskeyPurpose
  readonly cookie: string
  readonly at: number
  readonly needsVerification: boolean
}

/** Of an answer that is in order, whoever it is from. */
interface AnswerFacts {
  readonly id: Uint8Array
  readonly challenge: Uint8Array
  readonly isVerified: boolean
  readonly isEligible: boolean
  readonly isBackedUp: boolean
  readonly counter: number
}

export interface NewCredential extends AnswerFacts {
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array<ArrayBuffer>
  readonly transports: string
}

export interface Assertion extends AnswerFacts {
  /** Undefined if the device did not say who it thinks this is. */
  readonly userHandle: Uint8Array | undefined
  /** Whether the private key of this one signed it. */
  isSignedBy(publicKey: Uint8Array): boolean
}

const base64url = Type.String({ maxLength: 20_000, pattern: '^[A-Za-z0-9_-]+$' })

/** `toJSON()` of a `PublicKeyCredential`, of which both kinds of answers have these. */
const common = { clientDataJSON: base64url, authenticatorData: base64url }

const isRegistration = checkOf(
  Type.Object({
    id: base64url,
    response: Type.Object({
      ...common,
      transports: Type.Optional(Type.Array(Type.String(), { maxItems: 20 })),
    }),
  }),
)

const isAssertion = checkOf(
  Type.Object({
    id: base64url,
    response: Type.Object({
      ...common,
      signature: base64url,
      userHandle: Type.Optional(Type.Union([base64url, Type.Null()])),
    }),
  }),
)

/** WebAuthn level 3, §7.1. Nobody vouches for the device (`attestation: none`), so the attestation is not read. Throws `PasskeyRefused`. */
export function readRegistration(text: string, expected: ExpectedAnswer): NewCredential {
  const { id, response } = parsed(isRegistration, text)
  const { facts, data } = checkAnswer(id, response, expected, ClientDataType.Create)
  if (data.credential === null || !Buffer.from(data.credential.id).equals(facts.id))
    throw new PasskeyRefused('no credential')
  if (facts.id.length > 1023) throw new PasskeyRefused('id too long')
  const spki = refusing('key', () =>
    keyOf(data.credential?.publicKey).export({ type: 'spki', format: 'der' }),
  )
  const transports = (response.transports ?? []).filter((one) => /^[a-z-]{1,20}$/.test(one)).slice(0, 8)
  return { ...facts, publicKey: Uint8Array.from(spki), transports: transports.join(',') }
}

/** WebAuthn level 3, §7.2, but for what depends on the key. Throws `PasskeyRefused`. */
export function readAssertion(text: string, expected: ExpectedAnswer): Assertion {
  const { id, response } = parsed(isAssertion, text)
  const { facts } = checkAnswer(id, response, expected, ClientDataType.Get)
  const { userHandle } = response
  const signed = createAssertionSignatureMessage(
    bytesOf(response.authenticatorData),
    bytesOf(response.clientDataJSON),
  )
  const signature = bytesOf(response.signature)
  return {
    ...facts,
    userHandle: userHandle ? bytesOf(userHandle) : undefined,
    isSignedBy: (publicKey) => {
      const key = createPublicKey({ key: Buffer.from(publicKey), type: 'spki', format: 'der' })
      return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', signed, key, signature)
    },
  }
}

function checkAnswer(
  id: string,
  { clientDataJSON, authenticatorData }: { clientDataJSON: string; authenticatorData: string },
  { party, purpose, cookie, at, needsVerification }: ExpectedAnswer,
  type: ClientDataType,
) {
  const client = refusing('client data', () => parseClientDataJSON(bytesOf(clientDataJSON)))
  if (client.type !== type) throw new PasskeyRefused('type')
  if (!isChallenge(client.challenge, { purpose, cookie, at })) throw new PasskeyRefused('challenge')
  if (client.origin !== party.origin) throw new PasskeyRefused('origin')
  if (client.crossOrigin === true) throw new PasskeyRefused('cross origin')
  const bytes = bytesOf(authenticatorData)
  const data = refusing('authenticator data', () => parseAuthenticatorData(bytes))
  if (!data.verifyRelyingPartyIdHash(party.id)) throw new PasskeyRefused('host')
  if (!data.userPresent) throw new PasskeyRefused('presence')
  if (needsVerification && !data.userVerified) throw new PasskeyRefused('verification')
  // Backup eligible and backed up, which the library does not read (§6.1.3).
  const flags = bytes[32] ?? 0
  const [isEligible, isBackedUp] = [(flags & 0x08) !== 0, (flags & 0x10) !== 0]
  if (isBackedUp && !isEligible) throw new PasskeyRefused('backup')
  const facts: AnswerFacts = {
    ...{ id: bytesOf(id), challenge: client.challenge, counter: data.signatureCounter },
    ...{ isVerified: data.userVerified, isEligible, isBackedUp },
  }
  return { facts, data }
}

/** Throws for a key of an algorithm that was not asked for, or that is none. */
function keyOf(cose: COSEPublicKey | undefined): KeyObject {
  const algorithm = cose?.algorithm()
  if (cose !== undefined && algorithm === coseAlgorithmES256) {
    const { curve, x, y } = cose.ec2()
    if (curve === coseEllipticCurveP256)
      return keyFrom({ kty: 'EC', crv: 'P-256', x: numberText(x, 32), y: numberText(y, 32) })
  }
  if (cose !== undefined && algorithm === coseAlgorithmEdDSA) {
    const { curve, x } = cose.okp()
    if (curve === coseEllipticCurveEd25519) return keyFrom({ kty: 'OKP', crv: 'Ed25519', x: textOf(x) })
  }
  if (cose !== undefined && algorithm === coseAlgorithmRS256) {
    const { n, e } = cose.rsa()
    return keyFrom({ kty: 'RSA', n: numberText(n, 256), e: numberText(e, 3) })
  }
  throw new PasskeyRefused('algorithm')
}

const keyFrom = (jwk: Record<string, string>): KeyObject => createPublicKey({ key: jwk, format: 'jwk' })

const numberText = (value: bigint, length: number): string =>
  textOf(Uint8Array.fromHex(value.toString(16).padStart(2 * length, '0')))

const textOf = (bytes: Uint8Array): string => bytes.toBase64({ alphabet: 'base64url', omitPadding: true })

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64url'))

function parsed<T>(isValid: (value: unknown) => value is T, text: string): T {
  const value: unknown = refusing('no JSON', () => JSON.parse(text))
  if (!isValid(value)) throw new PasskeyRefused('shape')
  return value
}

/** For what throws at anything that is malformed. */
function refusing<T>(why: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw cause instanceof PasskeyRefused ? cause : new PasskeyRefused(why)
  }
}
