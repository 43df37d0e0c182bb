import type { Provider } from '../../src/options/providers'

type Json = Record<string, unknown>

/** What a provider does otherwise than it should; each gets what it would have said, and returns what it says. */
export interface Faults {
  metadata?(metadata: Json): Json
  /** Of the redirect back. */
  answer?(params: URLSearchParams): void
  token?(body: Json): Json
  header?(header: Json): Json
  claims?(claims: Json): Json
  /** The whole ID token. */
  idToken?(token: string): string | Promise<string>
  userinfo?(claims: Json): Json
  keys?(keys: readonly Json[]): readonly Json[]
  /** Instead of the usual answer at a path; undefined: the usual one. */
  respond?(path: string, request: Request): Response | undefined | Promise<Response | undefined>
}

/** An OpenID provider on this machine, whose person is always signed in and always agrees. */
export interface IdentityProvider {
  readonly issuer: string
  /** Paths, in order. */
  readonly asked: string[]
  /** Claims of whoever is signed in there; `sub` is required. */
  person: Json
  faults: Faults
  /** In epoch milliseconds. */
  now(): number
  /** What a browser does there: takes the authorization URL, returns the address that it is sent back to. */
  visit(url: string): string
  /** The last authorization request. */
  request(): URLSearchParams
  /** Signs with a new key; the old one is gone. */
  rotate(): Promise<void>
  stop(): Promise<void>
}

interface Granted {
  readonly params: URLSearchParams
  readonly person: Json
}

export async function createIdentityProvider({
  path = '',
  now = Date.now,
  hostname = '127.0.0.1',
}: {
  readonly path?: string
  now?(): number
  readonly hostname?: string
} = {}): Promise<IdentityProvider> {
  const codes = new Map<string, Granted>()
  const tokens = new Map<string, Json>()
  let key = await newKey(1)
  let count = 1
  let last = new URLSearchParams()
  const server = Bun.serve({ port: 0, hostname, fetch: (request) => respond(request) })
  const issuer = `http://${hostname}:${server.port}${path}`
  const provider: IdentityProvider = {
    issuer,
    asked: [],
    person: { sub: 'sub-1' },
    faults: {},
    now,
    visit: (text) => {
      const { searchParams } = new URL(text)
      last = searchParams
      const code = `code-${count++}`
      codes.set(code, { params: searchParams, person: { ...provider.person } })
      const back = new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: issuer })
      provider.faults.answer?.(back)
      return `${searchParams.get('redirect_uri')}?${back}`
    },
    request: () => last,
    rotate: async () => {
      key = await newKey(count++)
    },
    stop: () => server.stop(true),
  }

  async function respond(request: Request): Promise<Response> {
    const at = new URL(request.url).pathname.slice(path.length)
    provider.asked.push(at)
    const other = await provider.faults.respond?.(at, request)
    if (other !== undefined) return other
    const { metadata = same, keys = same, userinfo = same } = provider.faults
    if (at === '/.well-known/openid-configuration') return Response.json(metadata(metadataOf(issuer)))
    if (at === '/keys') return Response.json({ keys: keys([key.jwk]) })
    if (at === '/token') return await redeem(new URLSearchParams(await request.text()))
    const person = tokens.get(request.headers.get('authorization') ?? '')
    if (at === '/userinfo' && person !== undefined) return Response.json(userinfo(person))
    return new Response('', { status: 401 })
  }

  async function redeem(sent: URLSearchParams): Promise<Response> {
    const granted = codes.get(sent.get('code') ?? '')
    codes.delete(sent.get('code') ?? '')
    const challenge = new Bun.CryptoHasher('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url')
    if (granted?.params.get('code_challenge') !== challenge)
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    const token = `token-${count++}`
    tokens.set(`Bearer ${token}`, granted.person)
    const { token: bodyOf = same, idToken = same } = provider.faults
    const body = { access_token: token, token_type: 'Bearer', id_token: await idToken(await signed(granted)) }
    return Response.json(bodyOf(body))
  }

  async function signed({ params, person }: Granted): Promise<string> {
    const { header = same, claims = same } = provider.faults
    const seconds = Math.floor(provider.now() / 1000)
    const usual = { iss: issuer, aud: params.get('client_id'), nonce: params.get('nonce') }
    const times = { iat: seconds, exp: seconds + 300, auth_time: seconds }
    const parts = [header({ alg: 'ES256', kid: key.jwk.kid }), claims({ ...usual, ...times, ...person })]
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    const signature = await crypto.subtle.sign(algorithm, key.privateKey, Buffer.from(text))
    return `${text}.${Buffer.from(signature).toString('base64url')}`
  }

  return provider
}

const same = <T>(value: T): T => value

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

async function newKey(number: number) {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const { key_ops: _, ext: __, ...jwk } = await crypto.subtle.exportKey('jwk', publicKey)
  return { privateKey, jwk: { ...jwk, kid: `key-${number}`, alg: 'ES256', use: 'sig' } }
}

const metadataOf = (issuer: string): Json => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/keys`,
  end_session_endpoint: `${issuer}/sign_out`,
  response_types_supported: ['code'],
  id_token_signing_alg_values_supported: ['ES256', 'RS256'],
  scopes_supported: ['openid', 'profile', 'email', 'groups'],
  authorization_response_iss_parameter_supported: true,
})

/** How an instance knows it. */
export const providerAt = (
  { issuer }: Pick<IdentityProvider, 'issuer'>,
  more: Partial<Provider> = {},
): Provider => ({
  ...{ id: 'home', issuer, clientId: 'kiroku', clientSecret: 'hush', name: '家のアカウント' },
  ...{ scopes: undefined, signUp: false, linkByEmail: false },
  ...{ groups: [], adminGroups: [], groupsClaim: 'groups' },
  ...more,
})
