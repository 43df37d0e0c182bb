import type { Read } from '../../db/open'
import { hashSecret, sameHash } from '../../lib/secret'
import type { ClientTexts } from '../client-texts'
import { oauthError } from '../error'
import { type Application, findApplication, liveSecrets } from './application'

export interface Credentials {
  readonly clientId: string
  readonly secret: string | undefined
}

/**
 * RFC 6749 §2.3.1. Undefined without any; throws `invalid_request` for two kinds, `invalid_client` for malformed ones.
 */
export function readCredentials(request: Request, sent: ClientTexts): Credentials | undefined {
  const basic = basicCredentials(request.headers.get('authorization') ?? '')
  const clientId = sent.get('client_id')
  const secret = sent.get('client_secret')
  if (basic === undefined) {
    return clientId === undefined && secret === undefined ? undefined : { clientId: clientId ?? '', secret }
  }
  if (secret !== undefined) throw sentTwice('client_secret must not be sent beside HTTP Basic.')
  if (clientId !== undefined && clientId !== basic.clientId) {
    throw sentTwice('client_id must be the one of HTTP Basic.')
  }
  return basic
}

/** Throws the same `invalid_client` whatever is wrong (TK-08). */
export async function authenticateClient(
  { read, now }: { read: Read; now(): number },
  credentials: Credentials | undefined,
): Promise<Application> {
  const { clientId, secret } = credentials ?? { clientId: '', secret: undefined }
  const application = await findApplication(read, clientId)
  const hashes = await liveSecrets(read, application?.id ?? 0, now())
  const sent = hashSecret(secret ?? '')
  // At least two comparisons and no early exit: takes the same time for known and unknown clients.
  const proofs = [...hashes, unmatchableHash, unmatchableHash].map((hash) => sameHash(hash, sent))
  const isProven = proofs.includes(true)
  if (application === undefined) throw invalidClient()
  const { isConfidential, uid } = application
  if (isConfidential ? !isProven : secret !== undefined) throw invalidClient(uid)
  return application
}

/** 401 with a challenge (RFC 9110 §15.5.2, RFC 6749 §5.2); `client` is for the log only. */
export const invalidClient = (client?: string) =>
  oauthError('invalid_client', 'The client is unknown, or its credentials are missing or wrong.', {
    headers: { 'WWW-Authenticate': 'Basic realm="kiroku"' },
    client,
  })

/** Both halves are form-encoded inside the Base64 (RFC 6749 §2.3.1, TK-04). */
function basicCredentials(header: string): Credentials | undefined {
  const encoded = /^basic(?: +(.*))?$/i.exec(header)
  if (encoded === null) return undefined
  const [, clientId, secret] = /^([^:]+):(.*)$/.exec(decodedBase64(encoded[1] ?? '')) ?? []
  if (clientId === undefined || secret === undefined) throw invalidClient()
  return { clientId: formDecoded(clientId), secret: secret === '' ? undefined : formDecoded(secret) }
}

function decodedBase64(text: string): string {
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.fromBase64(text.trim()))
    if (!/\p{Cc}/u.test(decoded)) return decoded
  } catch {}
  throw invalidClient()
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalidClient()
  }
}

const sentTwice = (rule: string) => oauthError('invalid_request', rule)

const unmatchableHash = new Uint8Array(32)
