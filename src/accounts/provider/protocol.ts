import type * as OAuth from 'oauth4webapi'
import type { Deps } from '../../deps'
import type { Provider } from '../../options/providers'
import {
  type ContactDeps,
  checkedAddress,
  contact,
  discover,
  isRecord,
  messageOf,
  readKeys,
} from './discovery'
import { ProviderRefusal } from './refusal'

export type ProtocolDeps = ContactDeps & Pick<Deps, 'now'>

/** What only this server and the provider may know of one attempt. */
export interface AttemptSecrets {
  readonly state: string
  readonly nonce: string
  /** PKCE (RFC 7636). */
  readonly verifier: string
}

/** Of 256 bits each. */
export function attemptSecrets(random: Deps['random']): AttemptSecrets {
  const text = () => Buffer.from(random(32)).toString('base64url')
  return { state: text(), nonce: text(), verifier: text() }
}

/** Each provider has its own, so that no answer can be mistaken for another's (RFC 9700 §4.4). */
export const redirectUriOf = (baseUrl: string, { id }: Pick<Provider, 'id'>): string =>
  `${baseUrl}/sign_in/with/${id}/back`

/**
 * Where the browser goes (OpenID Connect Core §3.1.2.1); `asksAgain`: whoever is signed in there has to prove it once more.
 * Throws a `ProviderRefusal` with `unreachable`.
 */
export async function authorizationUrl(
  deps: ContactDeps,
  provider: Provider,
  { state, nonce, verifier }: AttemptSecrets,
  { redirectUri, asksAgain }: { readonly redirectUri: string; readonly asksAgain: boolean },
): Promise<string> {
  const metadata = await discover(deps, provider)
  const url = checkedAddress(provider, metadata.authorization_endpoint, 'authorization_endpoint')
  const { calculatePKCECodeChallenge } = await import('oauth4webapi')
  const params = {
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    scope: scopesFor(provider, metadata).join(' '),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(asksAgain && { prompt: 'login', max_age: '0' }),
  }
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url.href
}

function scopesFor(provider: Provider, metadata: OAuth.AuthorizationServer): readonly string[] {
  if (provider.scopes !== undefined) return provider.scopes
  const usesGroups = provider.groups.length > 0 || provider.adminGroups.length > 0
  const isOffered = metadata.scopes_supported?.includes('groups') === true
  return ['openid', 'profile', 'email', ...(usesGroups && isOffered ? ['groups'] : [])]
}

/** Where somebody can also sign out there (OpenID Connect RP-Initiated Logout); undefined if nowhere. */
export async function signOutUrl(
  deps: ContactDeps,
  provider: Provider,
  baseUrl: string,
): Promise<string | undefined> {
  const { end_session_endpoint: address } = await discover(deps, provider)
  if (address === undefined) return undefined
  const url = checkedAddress(provider, address, 'end_session_endpoint')
  url.searchParams.set('client_id', provider.clientId)
  url.searchParams.set('post_logout_redirect_uri', `${baseUrl}/`)
  return url.href
}

/** What a provider says of a person. Those of the protocol come from the ID token alone, others from userinfo as well. */
export interface ProviderClaims {
  readonly subject: string
  /** When they last proved who they are, in epoch milliseconds; undefined if it does not say. */
  readonly provedAt: number | undefined
  /** Those of the ID token first. */
  readonly all: readonly Readonly<Record<string, unknown>>[]
}

/**
 * Redeems the answer of a provider, in this order: `iss` (RFC 9207), error, token, ID token with its signature, userinfo. No
 * token is kept. Throws a `ProviderRefusal`.
 */
export async function redeem(
  deps: ProtocolDeps,
  provider: Provider,
  answer: URLSearchParams,
  { secrets, redirectUri }: { readonly secrets: AttemptSecrets; readonly redirectUri: string },
): Promise<ProviderClaims> {
  const metadata = await discover(deps, provider)
  const oauth = await import('oauth4webapi')
  const client: OAuth.Client = {
    client_id: provider.clientId,
    [oauth.clockSkew]: Math.round((deps.now() - Date.now()) / 1000),
    [oauth.clockTolerance]: tolerance,
  }
  const http = {
    [oauth.customFetch]: (
      url: string,
      init: { method: string; headers: Record<string, string>; body?: unknown },
    ) =>
      contact(deps, provider, url, {
        method: init.method,
        headers: new Headers(init.headers),
        ...(init.body instanceof URLSearchParams && { body: init.body.toString() }),
      }),
    // An http issuer is on this machine (`issuerUrl`); `checkedAddress` allows no other address without https.
    [oauth.allowInsecureRequests]: provider.issuer.startsWith('http:'),
  }
  try {
    const params = oauth.validateAuthResponse(metadata, client, answer, secrets.state)
    const token = await oauth.authorizationCodeGrantRequest(
      ...([metadata, client, clientAuthentication(oauth, provider, metadata), params] as const),
      ...([redirectUri, secrets.verifier, http] as const),
    )
    const tokens = await oauth.processAuthorizationCodeResponse(metadata, client, token, {
      expectedNonce: secrets.nonce,
      requireIdToken: true,
    })
    await checkSignature(deps, provider, token)
    const idToken = oauth.getValidatedIdTokenClaims(tokens)
    if (idToken === undefined) throw new ProviderRefusal('answer', 'no ID token')
    checkIdToken(deps, provider, idToken)
    const { sub: subject, auth_time: provedAt } = idToken
    const said = { subject, provedAt: provedAt === undefined ? undefined : provedAt * 1000 }
    if (metadata.userinfo_endpoint === undefined) return { ...said, all: [idToken] }
    const response = await oauth.userInfoRequest(metadata, client, tokens.access_token, http)
    const isSigned = /^application\/jwt\b/.test(response.headers.get('content-type') ?? '')
    const userinfo = await oauth.processUserInfoResponse(metadata, client, subject, response)
    if (isSigned) await checkSignature(deps, provider, response)
    return { ...said, all: [idToken, userinfo] }
  } catch (cause) {
    throw refusalOf(oauth, cause)
  }
}

/** How far the clocks may be apart, in seconds. */
const tolerance = 60

function clientAuthentication(
  oauth: typeof OAuth,
  { clientSecret }: Provider,
  { token_endpoint_auth_methods_supported: methods }: OAuth.AuthorizationServer,
): OAuth.ClientAuth {
  if (clientSecret === undefined) return oauth.None()
  // RFC 8414 §2: Basic if the metadata do not say.
  const isBasic = methods === undefined || methods.includes('client_secret_basic')
  return isBasic ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret)
}

/** What the library leaves: OpenID Connect Core §3.1.3.7, 4 and 10, and §2. */
function checkIdToken({ now }: ProtocolDeps, { clientId }: Provider, { azp, iat, sub }: OAuth.IDToken): void {
  if (azp !== undefined && azp !== clientId) throw new ProviderRefusal('answer', 'azp is another client')
  if (iat > now() / 1000 + tolerance) throw new ProviderRefusal('answer', 'iat is in the future')
  if (sub === '' || sub.length > 255) throw new ProviderRefusal('answer', 'sub is empty or too long')
}

/**
 * Always, although the answer came by TLS. The library reads keys at most once a minute and keeps them for five; so it gets a
 * copy of the metadata, which it keeps nothing for, and our keys.
 */
async function checkSignature(deps: ContactDeps, provider: Provider, response: Response): Promise<void> {
  const oauth = await import('oauth4webapi')
  const metadata = await discover(deps, provider)
  const check = async (isUnknown: boolean) => {
    const jwks = await readKeys(deps, provider, { isUnknown })
    const keys = { jwks: { keys: [...jwks.keys] }, uat: Math.floor(Date.now() / 1000) }
    await oauth.validateApplicationLevelSignature({ ...metadata }, response, { [oauth.jwksCache]: keys })
  }
  await check(false).catch(async (cause) => {
    if (!isRecord(cause) || cause.code !== oauth.KEY_SELECTION) throw cause
    await check(true)
  })
}

function refusalOf(oauth: typeof OAuth, cause: unknown): ProviderRefusal {
  if (cause instanceof ProviderRefusal) return cause
  if (cause instanceof oauth.AuthorizationResponseError || cause instanceof oauth.ResponseBodyError) {
    const isDenied = cause instanceof oauth.AuthorizationResponseError && cause.error === 'access_denied'
    // Of RFC 6749 §4.1.2.1 and its extensions; anything else may hold anything.
    const said = /^[a-z_]{1,40}$/.test(cause.error) ? cause.error : 'an error'
    return new ProviderRefusal(isDenied ? 'denied' : 'answer', `it answered ${said}`, { cause })
  }
  return new ProviderRefusal('answer', messageOf(cause), { cause })
}
