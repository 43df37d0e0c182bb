import { afterAll, describe, expect, test } from 'bun:test'
import { type Body, createInstance, formData, types } from '../../support/instance'
import {
  basic,
  callback,
  codeFor,
  exchange,
  expectError,
  expectHeaders,
  type Params,
  postAs,
  redeem as redeemWith,
  registerClient,
  type Values,
  verifier,
} from '../../support/oauth'

const kiroku = await createInstance()
const { ask, deps } = kiroku
afterAll(kiroku.close)
const client = await registerClient(kiroku)
const open = await registerClient(kiroku, { isConfidential: false })

/** Requests a token with a valid code and all other parameters, changed by `values`. */
const redeem = (values: Values = {}, headers: Params = {}, who = client, target = '/oauth/token') =>
  redeemWith(kiroku, who, values, { headers, target })

describe('an invalid request', () => {
  test.each(['client_id', 'client_secret', 'code', 'grant_type', 'redirect_uri'])(
    'TK-09: %s is not taken from the query alone',
    async (name) => {
      const good: Values = exchange(client, await codeFor(kiroku, client))
      const target = `/oauth/token?${name}=${encodeURIComponent(good[name] ?? '')}`
      await expectError(await postAs(kiroku, target, { ...good, [name]: undefined }), '400 invalid_request')
    },
  )

  test.each([
    [types.text, 'grant_type=authorization_code'],
    ['', 'grant_type=authorization_code'],
    ['application/xml', '<x/>'],
    [types.json, '[]'],
    [types.json, '"x"'],
    [types.json, '{'],
    [types.json, '{"grant_type":["authorization_code"]}'],
    [types.json, '{"grant_type":{"a":1}}'],
    [types.json, `${'['.repeat(30_000)}`],
    [types.form, 'grant_type=%zz'],
    [types.form, 'grant_type=a%00'],
    [types.form, '\\"=%00'],
    [types.form, '__proto__=1'],
    ['multipart/form-data; boundary=x', 'nonsense'],
  ])('TK-10: a body of %p that is %p is refused', async (type, body) => {
    const init = { method: 'POST', body, headers: type === '' ? {} : { 'content-type': type } }
    await expectError(await ask('/oauth/token', init), '400 invalid_request')
  })

  test('TK-10: other grants are not supported, and one must be named', async () => {
    await expectError(await redeem({ grant_type: '' }), '400 invalid_request')
    await expectError(await ask('/oauth/token', { method: 'POST' }), '400 invalid_request')
    for (const grant_type of [
      'password',
      'client_credentials',
      'refresh_token',
      'constructor',
      'x'.repeat(99),
    ]) {
      await expectError(await redeem({ grant_type }), '400 unsupported_grant_type')
    }
  })

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])('TK-10: %s is 405', async (method) => {
    const response = await ask('/oauth/token', { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })

  test.each(['code', 'redirect_uri'])('TK-11: %s is needed', async (name) => {
    await expectError(await redeem({ [name]: undefined }), '400 invalid_request')
    await expectError(await redeem({ [name]: '' }), '400 invalid_request')
  })

  test.each(['client_id', 'code', 'grant_type', 'redirect_uri', 'x'])(
    'TK-21: %s is sent once',
    async (name) => {
      const good: Values = exchange(client, await codeFor(kiroku, client))
      const body = `${new URLSearchParams(good as Params)}&${name}=1&${name}=1`
      const init = { method: 'POST', body, headers: { 'content-type': types.form } }
      await expectError(await ask('/oauth/token', init), '400 invalid_request')
    },
  )

  test('TK-21: fields may have 4 KiB and bodies 64 KiB', async () => {
    await expectError(await redeem({ code: 'x'.repeat(4097) }), '400 invalid_request')
    await expectError(await redeem({ padding: 'x'.repeat(66_000) }), '413 invalid_request')
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`x${n}`, '1']))
    await expectError(await redeem(many), '400 invalid_request')
  })

  test('TK-24: nothing that was sent is repeated', async () => {
    for (const values of [
      { code: 'kir"\\é' },
      { grant_type: 'kir"\\é' },
      { 'kir"\\é': '\u0000' },
    ] as Values[]) {
      expect(await (await redeem(values)).text()).not.toContain('kir')
    }
  })
})

describe('a token', () => {
  test('TK-01, TK-02, D4: is returned with exactly four keys, its time in Unix seconds', async () => {
    const response = await redeem()
    expectHeaders(response)
    const { access_token, ...others } = (await response.json()) as Body
    expect(access_token).toMatch(/^kir_at_[0-9A-Za-z]{49}$/)
    expect(others).toEqual({ token_type: 'bearer', scope: 'read', created_at: deps.now() / 1000 })
    const works = await ask('/v1/works', { headers: { authorization: `Bearer ${access_token}` } })
    expect(works.status).toBe(200)
  })

  test('TK-02, D45: a wrong method is refused in the same format, here and at the other client endpoints', async () => {
    for (const [method, target, allowed] of [
      ['GET', '/oauth/token', 'POST, OPTIONS'],
      ['GET', '/oauth/revoke/', 'POST, OPTIONS'],
      ['DELETE', '/oauth/device_authorization', 'POST, OPTIONS'],
      ['POST', '/oauth/token/info', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const response = await ask(target, { method })
      expect([target, response.status, response.headers.get('allow')]).toEqual([target, 405, allowed])
      expectHeaders(response)
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    }
  })

  test('TK-03, D45: can be requested by form, multipart or JSON', async () => {
    for (const made of [
      (values: Params) => ({ body: formData(values) }),
      (values: Params) => ({ body: JSON.stringify(values), headers: { 'content-type': types.json } }),
      (values: Params) => ({ body: new URLSearchParams(values) }),
    ]) {
      const values = exchange(client, await codeFor(kiroku, client)) as Params
      expect((await ask('/oauth/token', { method: 'POST', ...made(values) })).status).toBe(200)
    }
  })

  const without = { client_id: undefined, client_secret: undefined }
  const percented = (text: string) =>
    text.replace(/[^A-Za-z0-9]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  test.each([
    ['as it is', `Basic ${btoa(`${client.uid}:${client.secret}`)}`],
    ['with every sign encoded', `Basic ${btoa(`${percented(client.uid)}:${percented(client.secret)}`)}`],
    ['in capitals', `BASIC ${btoa(`${client.uid}:${client.secret}`)}`],
    ['in small letters', `basic ${btoa(`${client.uid}:${client.secret}`)}`],
  ])('TK-04, TK-05: is asked for with HTTP Basic %s', async (_, authorization) => {
    expect((await redeem(without, { authorization })).status).toBe(200)
  })

  test('TK-06: the client may be named in addition to HTTP Basic', async () => {
    const byHeader = basic(client.uid, client.secret)
    expect((await redeem({ client_secret: undefined }, byHeader)).status).toBe(200)
  })

  test('TK-07: a Bearer token sent too is ignored', async () => {
    expect((await redeem({}, { authorization: `Bearer ${kiroku.token}` })).status).toBe(200)
  })

  test('TK-20: has the scope that was consented to, whatever is requested now', async () => {
    const { scope } = (await (await redeem({ scope: 'read write' })).json()) as Body
    expect(scope).toBe('read')
  })

  test('TK-22: is available to public clients too, with PKCE', async () => {
    expect((await redeem({ code_verifier: verifier }, {}, open)).status).toBe(200)
    const byHeader = await redeem({ ...without, code_verifier: verifier }, basic(open.uid, ''), open)
    expect(byHeader.status).toBe(200)
  })

  test('unknown parameters are ignored (RFC 6749 §3.2)', async () => {
    expect((await redeem({ resource: 'x' }, {}, client, '/oauth/token?t=1')).status).toBe(200)
  })

  test('§2.4: can be requested from pages of any origin too', async () => {
    const preflight = await ask('/oauth/token', { method: 'OPTIONS', headers: { origin: callback } })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    expect(preflight.headers.get('access-control-allow-headers')).toBe('Authorization, *')
  })
})
