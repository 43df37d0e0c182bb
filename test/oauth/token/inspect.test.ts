import { afterAll, describe, expect, test } from 'bun:test'
import { createSecret } from '../../../src/lib/secret'
import { type Body, createInstance, withToken } from '../../support/instance'
import {
  basic,
  errorOf,
  type Params,
  postAs,
  registerClient,
  tokenFor,
  type Values,
} from '../../support/oauth'

const kiroku = await createInstance()
const { ask, deps, clock } = kiroku
afterAll(kiroku.close)
const client = await registerClient(kiroku)
const other = await registerClient(kiroku)
const open = await registerClient(kiroku, { isConfidential: false })
const token = await tokenFor(kiroku, client, { scope: 'write read' })
const issuedAt = deps.now() / 1000

const disable = (disabled_at: number | null) =>
  deps.write((tx) => tx.updateTable('users').set({ disabled_at }).where('id', '=', 1).execute())

/** Runs `check` while the application's token has an expiry. */
async function withExpiry(check: () => Promise<void>): Promise<void> {
  const set = (expires_at: number | null) =>
    deps.write((tx) =>
      tx.updateTable('tokens').set({ expires_at }).where('application_id', '=', client.id).execute(),
    )
  await set(deps.now() + 60_500)
  await check()
  await set(null)
}

describe('GET /oauth/token/info', () => {
  const info = (asked: string, init = {}) => ask('/oauth/token/info', withToken(asked, init))

  test.each([
    ['unknown', createSecret('at', deps.random)],
    ['mistyped', token.slice(0, -1)],
    ['a client secret', client.secret],
    ['nonsense', 'x'],
  ])('TI-03: a token that is %s is 401 invalid_token', async (_, asked) => {
    const response = await info(asked)
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="kiroku", error="invalid_token"')
    expect(await errorOf(response)).toBe('401 invalid_token')
  })

  test('TI-03: so is one that expired, was revoked or whose user is disabled', async () => {
    const gone = await tokenFor(kiroku, other)
    await deps.write((tx) => tx.deleteFrom('tokens').where('application_id', '=', other.id).execute())
    expect(await errorOf(await info(gone))).toBe('401 invalid_token')
    await disable(1)
    expect(await errorOf(await info(token))).toBe('401 invalid_token')
    await disable(null)
    await withExpiry(async () => {
      clock.now += 60_500
      expect(await errorOf(await info(token))).toBe('401 invalid_token')
      clock.now -= 60_500
    })
    expect((await info(token)).status).toBe(200)
  })

  test('D46: without a token it is 401 with a plain challenge', async () => {
    const response = await ask('/oauth/token/info')
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="kiroku"',
    ])
    expect(((await response.json()) as Body).error_description).toMatch(/^[\x20-\x7e]+$/)
  })

  test('BR-03: a token that is sent twice is 400', async () => {
    const response = await ask(`/oauth/token/info?access_token=${token}`, withToken(token))
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_request"')
    expect(await errorOf(response)).toBe('400 invalid_request')
  })

  test('TI-01, TI-04: says whose the token is and what it is for, and must not be cached', async () => {
    const response = await info(token)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect((await response.json()) as Body).toEqual({
      resource_owner_id: 1,
      scopes: ['read', 'write'],
      expires_in_seconds: null,
      application: { uid: client.uid },
      created_at: issuedAt,
    })
  })

  test('TI-01: says in how many seconds it expires', () =>
    withExpiry(async () => {
      expect(((await (await info(token)).json()) as Body).expires_in_seconds).toBe(61)
    }))

  test('TI-02: a personal token has no application', async () => {
    const body = (await (await info(kiroku.token)).json()) as Body
    expect(body).toMatchObject({ resource_owner_id: 1, application: { uid: null } })
  })

  test('other methods are 405', async () => {
    const response = await info(token, { method: 'POST' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})

describe('POST /oauth/introspect (D48)', () => {
  const introspect = (values: Values, headers: Params = {}) =>
    postAs(kiroku, '/oauth/introspect', values, headers)
  const credentials = { client_id: client.uid, client_secret: client.secret }

  test('IN-01: only a client that authenticates may ask', async () => {
    for (const values of [
      {},
      { client_id: client.uid },
      { ...credentials, client_secret: 'x' },
      { client_id: open.uid },
    ]) {
      expect(await errorOf(await introspect({ ...values, token }))).toBe('401 invalid_client')
    }
    const byBearer = await introspect({ token }, { authorization: `Bearer ${token}` })
    expect(await errorOf(byBearer)).toBe('401 invalid_client')
  })

  test('IN-01: token is required, in the body', async () => {
    expect(await errorOf(await introspect(credentials))).toBe('400 invalid_request')
    const inQuery = await postAs(kiroku, `/oauth/introspect?token=${token}`, credentials)
    expect(await errorOf(inQuery)).toBe('400 invalid_request')
  })

  test('IN-01: about other clients’ or invalid tokens it learns nothing', async () => {
    const asked = async (values: Values) => await (await introspect(values)).text()
    const theirs = { client_id: other.uid, client_secret: other.secret, token }
    expect(await asked(theirs)).toBe('{"active":false}')
    for (const text of [kiroku.token, createSecret('at', deps.random), 'x']) {
      expect(await asked({ ...credentials, token: text })).toBe('{"active":false}')
    }
    await disable(1)
    expect(await asked({ ...credentials, token })).toBe('{"active":false}')
    await disable(null)
    await withExpiry(async () => {
      clock.now += 60_500
      expect(await asked({ ...credentials, token })).toBe('{"active":false}')
      clock.now -= 60_500
    })
  })

  test('IN-01: about its own it learns what it is for, and when it expires, if it does', async () => {
    const response = await introspect(
      { token, token_type_hint: 'nonsense' },
      basic(client.uid, client.secret),
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
    const active = {
      active: true,
      scope: 'read write',
      client_id: client.uid,
      username: 'mio',
      token_type: 'bearer',
      sub: '1',
      iss: 'http://localhost:3000',
      iat: issuedAt,
    }
    expect((await response.json()) as Body).toEqual(active)
    await withExpiry(async () => {
      const later = (await (await introspect({ ...credentials, token })).json()) as Body
      expect(later).toEqual({ ...active, exp: issuedAt + 60 })
    })
  })
})
