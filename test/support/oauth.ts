import { expect } from 'bun:test'
import { createSecret, hashSecret } from '../../src/lib/secret'
import { type Body, type Instance, query } from './instance'
import { createMember, hiddenInputs, type Page, type Visitor } from './visitor'

/** A client application as its developers know it. */
export interface Client {
  readonly id: number
  readonly uid: string
  /** '' for a client without one. */
  readonly secret: string
  readonly redirectUri: string
}

/** How to register an application; the owner is `azusa`. */
export interface Registered {
  readonly name?: string
  readonly redirectUris?: readonly string[]
  readonly scope?: 'read' | 'write' | 'read write'
  readonly isConfidential?: boolean
  readonly sendsIss?: boolean
}

/** Registers an application. */
export async function registerClient({ deps }: Instance, registered: Registered = {}): Promise<Client> {
  const { name = 'Anime Diary', redirectUris = [callback], scope = 'read write' } = registered
  const { isConfidential = true, sendsIss = false } = registered
  const uid = createSecret('pq', deps.random).slice(-22)
  const secret = isConfidential ? createSecret('cs', deps.random) : ''
  const at = deps.now()
  const times = { created_at: at, updated_at: at }
  const id = await deps.write(async (tx) => {
    const values = { owner_id: 4, uid, name, redirect_uris: redirectUris.join('\n'), scope }
    const application = await tx
      .insertInto('applications')
      .values({
        ...values,
        ...times,
        is_confidential: isConfidential ? 1 : 0,
        sends_iss: sendsIss ? 1 : 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (!isConfidential) return application.id
    const kept = { application_id: application.id, secret_hash: hashSecret(secret), created_at: at }
    await tx.insertInto('client_secrets').values(kept).execute()
    return application.id
  })
  return { id, uid, secret, redirectUri: redirectUris[0] ?? '' }
}

export const callback = 'https://client.example/callback'

export type Params = Readonly<Record<string, string>>

/** Where a client sends a user for consent. */
export const authorizeUrl = ({ uid, redirectUri }: Client, others: Params = {}): string =>
  `/oauth/authorize${query({ client_id: uid, redirect_uri: redirectUri, response_type: 'code', ...others })}`

/** Opens the consent page and decides. */
export async function decide(
  visitor: Visitor,
  client: Client,
  { decision = 'approve', params = {} }: { decision?: string; params?: Params } = {},
): Promise<Page> {
  const page = await visitor.open(authorizeUrl(client, params))
  return await visitor.post('/oauth/authorize', { ...consentInputs(page), decision })
}

/** The hidden inputs of the consent form. */
export const consentInputs = (page: Page) => hiddenInputs(page.text, '/oauth/authorize')

/** The parameters that a redirect passes to the client. */
export const answerOf = ({ location }: Page): Params =>
  Object.fromEntries(new URLSearchParams(location.slice(location.indexOf('?') + 1)))

/** A code to which `mio`, or the visitor, consented. */
export async function codeFor(
  kiroku: Instance,
  client: Client,
  { params = {}, visitor }: { params?: Params; visitor?: Visitor } = {},
): Promise<string> {
  const page = await decide(visitor ?? (await createMember(kiroku, 'mio')), client, { params })
  return answerOf(page).code ?? page.textOf('authorization_code')
}

/** Posts a form to an endpoint like a client, without a cookie; leaves out undefined values. */
export function postAs(
  { ask }: Pick<Instance, 'ask'>,
  target: string,
  values: Readonly<Record<string, string | undefined>>,
  headers: Params = {},
): Promise<Response> {
  const sent = Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const body = new URLSearchParams(sent).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return ask(target, { method: 'POST', body, headers: { ...type, ...headers } })
}

/** The fields for exchanging a code. */
export const exchange = ({ uid, secret, redirectUri }: Client, code: string) => ({
  grant_type: 'authorization_code',
  client_id: uid,
  client_secret: secret === '' ? undefined : secret,
  redirect_uri: redirectUri,
  code,
})

/** An access token that `mio` gave the application. */
export async function tokenFor(kiroku: Instance, client: Client, params: Params = {}): Promise<string> {
  const code = await codeFor(kiroku, client, { params })
  const response = await postAs(kiroku, '/oauth/token', exchange(client, code))
  return ((await response.json()) as Body).access_token
}

/** The status and error of a response, as `400 invalid_grant`. */
export async function errorOf(response: Response): Promise<string> {
  return `${response.status} ${((await response.json()) as Body).error}`
}

/** Whether a token is valid for the API. */
export async function isAlive({ ask }: Pick<Instance, 'ask'>, token: string): Promise<boolean> {
  const { status } = await ask('/v1/works', { headers: { authorization: `Bearer ${token}` } })
  return status === 200
}

/** HTTP Basic with both halves form-encoded (RFC 6749 §2.3.1). */
export const basic = (uid: string, secret: string): Params => ({
  authorization: `Basic ${btoa(`${encodeURIComponent(uid)}:${encodeURIComponent(secret)}`)}`,
})

/** A verifier and its S256 challenge. */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const pkce = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

/** Checks what every response of the endpoint must have (TK-02, TK-24). */
export async function expectError(response: Response, expected: string): Promise<void> {
  const { error, error_description, ...others } = (await response.json()) as Body
  expect([`${response.status} ${error}`, others]).toEqual([expected, {}])
  expect(error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  expectHeaders(response)
}

export function expectHeaders({ headers }: Response): void {
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    pragma: 'no-cache',
    'access-control-allow-origin': '*',
  })
  expect(headers.has('set-cookie') || headers.has('access-control-allow-credentials')).toBe(false)
}

export type Values = Readonly<Record<string, string | undefined>>

/** Requests a token with a valid code and all other parameters, changed by `values`. */
export async function redeem(
  kiroku: Instance,
  client: Client,
  values: Values = {},
  { headers = {}, target = '/oauth/token' }: { headers?: Params; target?: string } = {},
): Promise<Response> {
  const code = await codeFor(kiroku, client, client.secret === '' ? { params: pkce } : {})
  return await postAs(kiroku, target, { ...exchange(client, code), ...values }, headers)
}
