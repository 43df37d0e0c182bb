import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { endpoints } from '../../src/app'
import { createSecret } from '../../src/lib/secret'
import { makeRoom, numberless, requiredOf } from '../support/examples'
import {
  type Body,
  createInstance,
  query,
  refusals,
  requestOf,
  targetOf,
  withToken,
} from '../support/instance'
import { seedExamples } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedExamples })
const { ask, get, tokenOf, clock } = kiroku
afterAll(kiroku.close)
beforeEach(() => makeRoom(kiroku.store))

const expiring = await tokenOf('mio', 'read write', 60_000)
const disabled = await tokenOf('yui', 'read write')
const scopes = { read: await tokenOf('mio', 'read'), write: await tokenOf('mio', 'write') }
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']

const challenge = (response: Response) => response.headers.get('www-authenticate')

/** The methods of a target, as its path or the matching pattern declares: HEAD with GET, PUT with PATCH. */
function methodsOf(target: string): string[] {
  const has = (path: string) => new RegExp(`^${path.replace(/:[a-z_]+/g, '[^/]+')}$`).test(target)
  const exact = endpoints.filter(({ path }) => path === target)
  const declared = (exact.length > 0 ? exact : endpoints.filter(({ path }) => has(path))).map(
    ({ method }) => method,
  )
  return declared.flatMap((method) => {
    if (method === 'GET') return ['GET', 'HEAD']
    return method === 'PATCH' ? ['PATCH', 'PUT'] : [method]
  })
}

for (const endpoint of endpoints) {
  const { method, path, scope, operation } = endpoint
  describe(`${method} ${path}`, () => {
    const target = targetOf(path)
    const whole = target + query(requiredOf(endpoint))

    test('without a token is 401 and names no error', async () => {
      const response = await ask(target, { method })
      expect(challenge(response)).toBe('Bearer realm="kiroku"')
      expect(await refusals(response, 'unauthorized')).toHaveLength(1)
    })

    test.each([
      ['nonsense', 'x'],
      ['unknown', createSecret('pat', kiroku.deps.random)],
      ['mistyped', kiroku.token.slice(0, -1)],
      ['a client secret', createSecret('cs', kiroku.deps.random)],
      ['an authorization code', createSecret('ac', kiroku.deps.random)],
      ['of a disabled user', disabled],
      ['blank inside', 'x y'],
    ])('with a token that is %s is 401 invalid_token', async (_, token) => {
      const response = await ask(target, withToken(token, { method }))
      expect(challenge(response)).toBe('Bearer realm="kiroku", error="invalid_token"')
      await refusals(response, 'unauthorized')
    })

    test('with a token is answered until the token expires', async () => {
      const asked = () => ask(target, withToken(expiring, { method }))
      expect((await asked()).status).not.toBe(401)
      clock.now += 60_000
      const late = await asked()
      clock.now -= 60_000
      expect(challenge(late)).toBe('Bearer realm="kiroku", error="invalid_token"')
      await refusals(late, 'unauthorized')
    })

    test('with a token that lacks the scope is 403 insufficient_scope', async () => {
      const lacking = scope === 'read' ? scopes.write : scopes.read
      const response = await ask(target, withToken(lacking, { method }))
      expect(challenge(response)).toBe(`Bearer realm="kiroku", error="insufficient_scope", scope="${scope}"`)
      expect(await refusals(response, 'forbidden')).toHaveLength(1)
      expect((await ask(target, withToken(scopes[scope], { method }))).status).not.toBe(403)
    })

    test('accepts the token as a parameter or in the header, whatever its case, but never twice', async () => {
      // Sends it once before: what it deletes is gone from then on.
      await ask(whole, withToken(kiroku.token, { method }))
      const { status } = await ask(whole, withToken(kiroku.token, { method }))
      const parameter = `${whole}&access_token=${kiroku.token}`
      const shouted = { method, headers: { authorization: `BEARER ${kiroku.token}` } }
      expect((await ask(parameter, { method })).status).toBe(status)
      expect((await ask(whole, shouted)).status).toBe(status)
      for (const twice of [
        await ask(parameter, withToken(kiroku.token, { method })),
        await ask(`${parameter}&access_token=${kiroku.token}`, { method }),
        await ask(whole, withToken(`${kiroku.token}, Bearer ${kiroku.token}`, { method })),
      ]) {
        expect(challenge(twice)).toBe('Bearer realm="kiroku", error="invalid_request"')
        await refusals(twice, 'invalid_params')
      }
    })

    test('other methods are 405 with Allow, without a token', async () => {
      const answered = methodsOf(target)
      for (const other of methods.filter((one) => !answered.includes(one))) {
        const response = await ask(target, { method: other })
        expect(response.headers.get('allow')?.split(', ').sort()).toEqual([...answered, 'OPTIONS'].sort())
        // HEAD responses have no body to read; the server does not send one (socket.test.ts).
        if (other === 'HEAD') expect(response.status).toBe(405)
        else await refusals(response, 'method_not_allowed')
      }
    })

    test('OPTIONS is 204 and allows pages of any origin', async () => {
      const response = await ask(target, {
        method: 'OPTIONS',
        headers: { origin: 'https://client.example', 'access-control-request-method': method },
      })
      expect([response.status, await response.text()]).toEqual([204, ''])
      expect(Object.fromEntries(response.headers)).toMatchObject({
        allow: [...methodsOf(target), 'OPTIONS'].join(', '),
        'access-control-allow-origin': '*',
        'access-control-allow-methods': [...methodsOf(target), 'OPTIONS'].join(', '),
        'access-control-allow-headers': 'Authorization, *',
      })
    })

    test('every response may be read by any page, is never cached and sets no cookie', async () => {
      for (const response of [await get(whole, { method }), await ask(target, { method })]) {
        expect(Object.fromEntries(response.headers)).toMatchObject({
          'access-control-allow-origin': '*',
          'cache-control': 'private, no-store',
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
          'x-request-id': expect.stringMatching(/^[\w-]{12}$/),
        })
        expect(response.headers.get('access-control-expose-headers')).toInclude('WWW-Authenticate')
        expect(response.headers.has('access-control-allow-credentials')).toBe(false)
        expect(response.headers.has('set-cookie')).toBe(false)
      }
    })

    test('parameters in brackets, which would be ignored as unknown, are refused by name', async () => {
      const names = Object.keys(operation.params).filter(
        (name) => !path.includes(`:${name}`) && endpoint.upload === undefined,
      )
      for (const name of names) {
        const asked = { ...requiredOf(endpoint), [`${name}[]`]: '1', [`${name}[a][]`]: '2' }
        const said = await refusals(await get(target + query(asked), { method }), 'invalid_params')
        expect(new Set(said)).toEqual(new Set([`${name} must be sent without brackets.`]))
      }
    })

    test('a trailing slash changes nothing', async () => {
      // Sends it once before: what it deletes is gone from then on.
      await get(whole, { method })
      const plain = await get(whole, { method })
      const slashed = await get(whole.replace('?', '/?'), { method })
      const said = numberless(await plain.text())
      expect([slashed.status, numberless(await slashed.text())]).toEqual([plain.status, said])
    })
  })
}

for (const { path } of endpoints.filter(({ method }) => method === 'GET')) {
  test(`HEAD ${path} is GET without its body`, async () => {
    for (const init of [withToken(kiroku.token), {}]) {
      const [whole, head] = [await ask(path, init), await ask(path, { ...init, method: 'HEAD' })]
      const headersOf = ({ headers }: Response): Record<string, string> => ({
        ...Object.fromEntries(headers),
        'x-request-id': '',
      })
      const length = String((await whole.bytes()).length)
      expect([head.status, await head.text()]).toEqual([whole.status, ''])
      expect(headersOf(head)).toEqual({ ...headersOf(whole), 'content-length': length })
    }
  })
}

describe('the order of checks (D28)', () => {
  const bad = '?page=0'

  test('an unknown path or method is refused before the token is checked', async () => {
    for (const target of ['/v1/nothing', '/v1', '/v1/', '/v1/works/1', '/V1/works', '/v1//works']) {
      await refusals(await ask(target), 'unknown_route')
    }
    await refusals(await ask(`/v1/works${bad}`, { method: 'DELETE' }), 'method_not_allowed')
  })

  test('the token is checked before the scope, the scope before the parameters', async () => {
    await refusals(await ask(`/v1/works${bad}`), 'unauthorized')
    await refusals(await ask(`/v1/works${bad}`, withToken('x')), 'unauthorized')
    await refusals(await ask(`/v1/works${bad}`, withToken(scopes.write)), 'forbidden')
    await refusals(await get(`/v1/works${bad}`), 'invalid_params')
  })
})

test('the end user too is told in words what is wrong with a parameter (D27)', async () => {
  const { errors }: Body = await (await get('/v1/works?per_page=0')).json()
  expect(errors[0]).toMatchObject({
    message: 'Per page must be an integer from 1 to 50.',
    developer_message: 'per_page must be an integer from 1 to 50.',
  })
})

describe('invalid tokens', () => {
  test.each([
    ['Basic credentials', { authorization: 'Basic bWlvOnNlY3JldA==' }],
    ['the bare word Bearer', { authorization: 'Bearer' }],
    ['a token without the word', { authorization: kiroku.token }],
    ['a cookie', { cookie: `sid=${kiroku.token}; access_token=${kiroku.token}` }],
  ])('%s counts as none', async (_, headers) => {
    const response = await kiroku.handle(requestOf('/v1/works', { headers }))
    expect(challenge(response)).toBe('Bearer realm="kiroku"')
    await refusals(response, 'unauthorized')
  })

  test('a blank access_token counts as none, even together with a header', async () => {
    expect(challenge(await ask('/v1/works?access_token=%20'))).toBe('Bearer realm="kiroku"')
    expect((await get('/v1/works?access_token=')).status).toBe(200)
  })

  test('a revoked token ends with the next request', async () => {
    const token = await tokenOf('azusa', 'read')
    expect((await ask('/v1/works', withToken(token))).status).toBe(200)
    await kiroku.deps.write((tx) => tx.deleteFrom('tokens').where('user_id', '=', 4).execute())
    await refusals(await ask('/v1/works', withToken(token)), 'unauthorized')
  })
})
