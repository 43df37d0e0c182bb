import type { TokenScope } from '../../accounts/token'
import { textParam } from '../../api/param-kinds'
import { param, required, withDefault } from '../../api/params'
import type { Read } from '../../db/open'
import { NotText, type RawValues } from '../../http/request-values'
import type { Message } from '../../messages/languages'
import { either } from '../../values/text'
import { PageProblem } from '../../web/problem'
import { type Application, findApplication } from '../clients/application'
import { oauthError } from '../error'
import { readDeclared } from '../read-declared'
import { requestedScope, scopeParams } from '../requested-scope'
import { challenge } from './pkce'
import { isAccepted, isAllowed, outOfBand } from './redirect-uri'

export const authorizationParams = {
  client_id: required(textParam('The client ID', 'mJ4vT0aYw1QkRz7uXcB2Ng')),
  response_type: required(param(either(['code']), 'The requested response: an authorization code', 'code')),
  redirect_uri: required(
    textParam(
      `Where the answer is sent; must be registered. With \`${outOfBand}\` the code is shown instead`,
      'https://client.example/callback',
    ),
  ),
  ...scopeParams,
  state: textParam('Extension: returned unchanged with the answer', 'xyz'),
  code_challenge: param(
    challenge,
    'Extension: PKCE (RFC 7636); required for an application without a secret',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ),
  code_challenge_method: param(
    either(['S256']),
    'Extension: the method of code_challenge; required with it',
    'S256',
  ),
  response_mode: withDefault(
    param(either(['query']), 'Extension: how the answer is returned', 'query'),
    'query',
  ),
}

type AuthorizationParam = keyof typeof authorizationParams

/** A known client and a registered redirect URI: later errors may be sent there. */
export interface KnownClient {
  readonly application: Application
  readonly redirectUri: string
  readonly state: string | undefined
}

/** RFC 6749 §4.1.1 */
export interface AuthorizationRequest extends KnownClient {
  readonly scope: TokenScope
  /** S256 (RFC 7636 §4.2); null when the client sent none. */
  readonly codeChallenge: string | null
}

/** Throws a page, because nothing may be redirected to an unregistered URI (AZ-02, AZ-03, AZ-04). */
export async function findKnownClient(read: Read, sent: RawValues): Promise<KnownClient> {
  const application = await findApplication(read, trustedText(sent, 'client_id'))
  if (application === undefined) throw unknownClient()
  const redirectUri = trustedText(sent, 'redirect_uri')
  if (!isAccepted(application.redirectUris, redirectUri))
    throw isAllowed(redirectUri) ? unknownRedirectUri() : oddRedirectUri()
  return { application, redirectUri, state: usableText(sent, 'state') }
}

/** Throws `OAuthError`. */
export function checkRequest(knownClient: KnownClient, sent: RawValues): AuthorizationRequest {
  refuseRepeats(sent)
  refuseOtherWays(sent)
  const type = usableText(sent, 'response_type')
  readDeclared(authorizationParams, 'response_type', type, 'unsupported_response_type')
  const scope = requestedScope(knownClient.application.scope, usableText(sent, 'scope'))
  const codeChallenge = readChallenge(knownClient.application, sent)
  return { ...knownClient, scope, codeChallenge }
}

/** Undefined if missing, empty or sent twice. */
function usableText(
  sent: RawValues,
  name: AuthorizationParam | 'request' | 'request_uri',
): string | undefined {
  const text = sent.get(name)
  return text === '' || text instanceof NotText ? undefined : text
}

function trustedText(sent: RawValues, name: 'client_id' | 'redirect_uri'): string {
  const text = usableText(sent, name)
  if (text === undefined) throw notOnce(name)
  return text
}

function refuseRepeats(sent: RawValues): void {
  const isRepeated = sent.values().some((value) => value instanceof NotText)
  if (isRepeated) throw invalidRequest('Every parameter must be sent once.')
}

/** Rejects request objects and other response modes instead of ignoring them (AZ-28). */
function refuseOtherWays(sent: RawValues): void {
  readDeclared(authorizationParams, 'response_mode', usableText(sent, 'response_mode'))
  for (const name of ['request', 'request_uri'] as const) {
    if (usableText(sent, name) !== undefined) throw invalidRequest(`${name} is not supported.`)
  }
}

/** PKCE (RFC 7636 §4.3): optional, but required for clients without a secret (RFC 9700 §2.1.1). */
function readChallenge(application: Application, sent: RawValues): string | null {
  const sentChallenge = usableText(sent, 'code_challenge')
  const method = usableText(sent, 'code_challenge_method')
  if (sentChallenge === undefined && method !== undefined) throw invalidRequest('code_challenge is required.')
  if (sentChallenge === undefined && !application.isConfidential) {
    throw invalidRequest('code_challenge is required of an application without a secret.')
  }
  if (sentChallenge === undefined) return null
  // The default is `plain` (RFC 7636 §4.3), which is refused.
  readDeclared(authorizationParams, 'code_challenge_method', method ?? 'plain')
  return readDeclared(authorizationParams, 'code_challenge', sentChallenge) ?? null
}

const invalidRequest = (rule: string) => oauthError('invalid_request', rule)

const refused = (why: Message) => new PageProblem(400, (t) => [t.consent.refusedTitle, why(t)])

const notOnce = (name: 'client_id' | 'redirect_uri') => refused((t) => t.consent.notOnce(name))

const unknownClient = () => refused((t) => t.consent.unknownClient)

const unknownRedirectUri = () => refused((t) => t.consent.unknownRedirectUri)

const oddRedirectUri = () => refused((t) => t.consent.oddRedirectUri)
