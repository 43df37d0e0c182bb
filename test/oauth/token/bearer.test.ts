import { afterAll, describe, expect, test } from 'bun:test'
import { changeStanding } from '../../../src/accounts/account/standing'
import { createSecret } from '../../../src/lib/secret'
import { createInstance, refusals, withToken } from '../../support/instance'
import {
  authorizeUrl,
  codeFor,
  consentInputs,
  isAlive,
  postAs,
  registerClient,
  tokenFor,
} from '../../support/oauth'
import { createMember } from '../../support/visitor'

const kiroku = await createInstance()
const { ask, deps, clock } = kiroku
afterAll(kiroku.close)
const client = await registerClient(kiroku)
const token = await tokenFor(kiroku, client, { scope: 'read write' })
const reading = await tokenFor(kiroku, client, { scope: 'read' })
const writing = await tokenFor(kiroku, client, { scope: 'write' })

const challenge = (response: Response) => response.headers.get('www-authenticate')
const invalid = 'Bearer realm="kiroku", error="invalid_token"'
const withHeader = (authorization: string) => ask('/v1/works', { headers: { authorization } })

describe('a token of an application', () => {
  test('BR-01: is only accepted after the word Bearer and a space, and with its own characters', async () => {
    for (const header of [token, `Bearer\t${token}`, `Bearer:${token}`, `Bearer${token}`, `Token ${token}`]) {
      expect(challenge(await withHeader(header))).toBe('Bearer realm="kiroku"')
    }
    for (const odd of [`"${token}"`, `${token};x`, `${token}é`, `token=${token}`, `\t${token}`]) {
      expect(challenge(await withHeader(`Bearer ${odd}`))).toBe(invalid)
    }
    for (const word of ['Bearer', 'bearer', 'BEARER', 'bEARER']) {
      expect((await withHeader(`${word} ${token}`)).status).toBe(200)
    }
  })

  test('D70: may come after several spaces, also when it revokes itself', async () => {
    for (const spaces of ['  ', ' '.repeat(40)]) {
      const spaced = await tokenFor(kiroku, client)
      const headers = { authorization: `Bearer${spaces}${spaced}` }
      expect((await ask('/v1/works', { headers })).status).toBe(200)
      expect((await ask('/oauth/token/info', { headers })).status).toBe(200)
      expect((await postAs(kiroku, '/oauth/revoke', { token: spaced }, headers)).status).toBe(200)
      expect(await isAlive(kiroku, spaced)).toBe(false)
    }
  })

  test('BR-02: is accepted as access_token by every method, and the response is private', async () => {
    const record = `/v1/me/records?episode_id=1&access_token=${token}`
    for (const [method, target] of [
      ['GET', `/v1/works?access_token=${token}`],
      ['HEAD', `/v1/works?access_token=${token}`],
      ['POST', record],
      ['PATCH', `/v1/me/records/1?comment=x&access_token=${token}`],
      ['DELETE', `/v1/me/records/1?access_token=${token}`],
    ] as const) {
      const response = await ask(target, { method })
      expect([method, response.ok]).toEqual([method, true])
      expect(response.headers.get('cache-control')).toBe('private, no-store')
    }
  })

  test('BR-03: sent twice in any way is 400 invalid_request', async () => {
    for (const response of [
      await ask(`/v1/works?access_token=${token}`, withToken(token)),
      await ask(`/v1/works?access_token=${token}`, withToken(reading)),
      await ask(`/v1/works?access_token=${token}&access_token=${token}`),
      await withHeader(`Bearer ${token}, Bearer ${reading}`),
    ]) {
      expect(challenge(response)).toBe('Bearer realm="kiroku", error="invalid_request"')
      await refusals(response, 'invalid_params')
    }
  })

  test('BR-04: is required; without it no error is named', async () => {
    const response = await ask('/v1/works')
    expect(challenge(response)).toBe('Bearer realm="kiroku"')
    await refusals(response, 'unauthorized')
  })

  test('BR-05: that was never issued is invalid_token', async () => {
    const response = await ask('/v1/works', withToken(createSecret('at', deps.random)))
    expect(challenge(response)).toBe(invalid)
    await refusals(response, 'unauthorized')
  })

  test('BR-06: that may only read changes nothing, and learns nothing about what exists', async () => {
    for (const id of [1, 999_999]) {
      for (const [method, target] of [
        ['POST', `/v1/me/records?episode_id=${id}`],
        ['PATCH', `/v1/me/records/${id}?comment=x`],
        ['DELETE', `/v1/me/reviews/${id}`],
      ] as const) {
        const response = await ask(target, withToken(reading, { method }))
        const expected = 'Bearer realm="kiroku", error="insufficient_scope", scope="write"'
        expect(challenge(response)).toBe(expected)
        await refusals(response, 'forbidden')
      }
    }
  })

  test('BR-07: that may only write reads nothing (D29)', async () => {
    const response = await ask('/v1/me', withToken(writing))
    expect(challenge(response)).toBe('Bearer realm="kiroku", error="insufficient_scope", scope="read"')
    await refusals(response, 'forbidden')
  })
})

describe('other credentials', () => {
  test('BR-08: a session cookie alone does not authenticate to the API and to the token endpoints', async () => {
    const mio = await createMember(kiroku, 'mio')
    expect((await mio.open('/')).text).toContain('>mio</a>')
    for (const [method, target] of [
      ['GET', '/v1/me'],
      ['POST', '/v1/me/records?episode_id=1'],
      ['GET', '/oauth/token/info'],
      ['POST', '/oauth/introspect'],
    ] as const) {
      const page = await mio.open(target, { method })
      expect([target, page.status, page.headers.getSetCookie()]).toEqual([target, 401, []])
    }
    expect((await mio.post('/oauth/revoke', { token })).status).toBe(401)
    expect(await isAlive(kiroku, token)).toBe(true)
  })

  test('BR-10: no other secret is a token', async () => {
    const mio = await createMember(kiroku, 'mio')
    const { csrf = '', request = '' } = consentInputs(await mio.open(authorizeUrl(client)))
    const code = await codeFor(kiroku, client)
    const others = [code, client.secret, client.uid, mio.cookies.get('sid_3000') ?? '', csrf, request]
    for (const secret of others) {
      expect(secret.length).toBeGreaterThan(10)
      for (const target of ['/v1/me', '/oauth/token/info']) {
        expect(challenge(await ask(target, withToken(secret)))).toBe(invalid)
      }
    }
  })
})

describe('a token that was valid', () => {
  test('BR-09: ends at once with its user, its lifetime or its application', async () => {
    const { id } = await deps.read
      .selectFrom('tokens')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const one = writing
    expect(await isAlive(kiroku, token)).toBe(true)
    expect(await changeStanding(deps, 1, 'disable')).toBe('done')
    expect(challenge(await ask('/v1/works', withToken(token)))).toBe(invalid)
    expect(await changeStanding(deps, 1, 'enable')).toBe('done')
    const end = { expires_at: deps.now() + 1000 }
    await deps.write((tx) => tx.updateTable('tokens').set(end).where('id', '=', id).execute())
    expect((await ask('/v1/me', withToken(one))).status).toBe(403)
    clock.now += 1000
    expect((await ask('/v1/me', withToken(one))).status).toBe(401)
    expect(await isAlive(kiroku, token)).toBe(true)
    await deps.write((tx) => tx.deleteFrom('applications').where('id', '=', client.id).execute())
    expect(challenge(await ask('/v1/works', withToken(token)))).toBe(invalid)
  })
})

test('BR-11: refusals are JSON, also for HEAD and for unknown paths', async () => {
  for (const target of ['/v1/works', '/v1/nothing']) {
    const [whole, head] = [await ask(target), await ask(target, { method: 'HEAD' })]
    expect(whole.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect([head.status, challenge(head)]).toEqual([whole.status, challenge(whole)])
    expect(whole.status).toBe(target === '/v1/works' ? 401 : 404)
  }
})
