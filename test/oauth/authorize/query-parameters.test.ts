import { afterAll, describe, expect, test } from 'bun:test'
import { createInstance, formData, type Instance, query, types } from '../../support/instance'
import {
  basic,
  codeFor,
  errorOf,
  exchange,
  isAlive,
  type Params,
  postAs,
  registerClient,
  tokenFor,
} from '../../support/oauth'

const strict = await createInstance()
const lenient = await createInstance({ config: { oauthQueryParameters: true } })
afterAll(() => Promise.all([strict.close(), lenient.close()]))
const clients = new Map([
  [strict, await registerClient(strict)],
  [lenient, await registerClient(lenient)],
])
const clientOf = (kiroku: Instance) => clients.get(kiroku) ?? expect.unreachable()

/** The parameters of a valid token request, as old clients send them. */
const exchangeOf = async (kiroku: Instance) => {
  const client = clientOf(kiroku)
  return exchange(client, await codeFor(kiroku, client)) as Params
}
const credentialsOf = (kiroku: Instance) => {
  const { uid, secret } = clientOf(kiroku)
  return { client_id: uid, client_secret: secret }
}

/** No part of the request's line in the log contains a secret. */
function expectMasked(kiroku: Instance, secrets: readonly (string | undefined)[]): void {
  const { facts } = kiroku.lines.findLast(({ event }) => event === 'request') ?? expect.unreachable()
  for (const secret of secrets) expect(String(facts.url)).not.toContain(String(secret))
  expect(facts.url).toContain('=***')
}

describe.each([
  ['by default', strict],
  ['with --oauth-query-parameters', lenient],
] as const)('D65: a parameter in the query, %s,', (_, kiroku) => {
  test.each(['client_id', 'client_secret', 'code', 'grant_type', 'redirect_uri'])(
    'is refused where the body says another %s, whichever of the two is right',
    async (name) => {
      const good = await exchangeOf(kiroku)
      const wrong = { ...good, [name]: 'other' }
      const inQuery = await postAs(kiroku, `/oauth/token${query({ [name]: 'other' })}`, good)
      const inBody = await postAs(kiroku, `/oauth/token${query({ [name]: good[name] ?? '' })}`, wrong)
      expect([await errorOf(inQuery), await errorOf(inBody)]).toEqual(Array(2).fill('400 invalid_request'))
      expect((await postAs(kiroku, '/oauth/token', good)).status).toBe(200)
    },
  )

  test('is refused if it is sent twice, whatever the body says', async () => {
    const good = await exchangeOf(kiroku)
    const twice = `/oauth/token${query(good)}&code=${good.code}`
    expect(await errorOf(await postAs(kiroku, twice, good))).toBe('400 invalid_request')
    expect(await errorOf(await postAs(kiroku, twice, {}))).toBe('400 invalid_request')
  })

  test('is refused together with HTTP Basic for another client', async () => {
    const { client_id = '', client_secret = '', ...good } = await exchangeOf(kiroku)
    const target = '/oauth/token?client_id=other'
    const asked = postAs(kiroku, target, good, basic(client_id, client_secret))
    expect(await errorOf(await asked)).toBe('400 invalid_request')
  })

  test('is ignored if the body has the same, by form, multipart or JSON, or if it is blank', async () => {
    for (const made of [
      (values: Params) => ({ body: new URLSearchParams(values) }),
      (values: Params) => ({ body: formData(values) }),
      (values: Params) => ({ body: JSON.stringify(values), headers: { 'content-type': types.json } }),
    ]) {
      const good = await exchangeOf(kiroku)
      const answer = await kiroku.ask(`/oauth/token${query(good)}`, { method: 'POST', ...made(good) })
      expect(answer.status).toBe(200)
      expectMasked(kiroku, [good.code, good.client_secret])
    }
    const blank = '/oauth/token?code=&client_secret=&x=1'
    expect((await postAs(kiroku, blank, await exchangeOf(kiroku))).status).toBe(200)
  })

  test('is ignored if the body has the same token to revoke', async () => {
    const token = await tokenFor(kiroku, clientOf(kiroku))
    const values = { ...credentialsOf(kiroku), token }
    const other = await postAs(kiroku, `/oauth/revoke${query({ token: 'other' })}`, values)
    expect([await errorOf(other), await isAlive(kiroku, token)]).toEqual(['400 invalid_request', true])
    expect((await postAs(kiroku, `/oauth/revoke${query(values)}`, values)).status).toBe(200)
    expectMasked(kiroku, [token, values.client_secret])
    expect(await isAlive(kiroku, token)).toBe(false)
  })
})

describe('D65: a parameter only in the query', () => {
  test.each(['client_id', 'client_secret', 'code', 'grant_type', 'redirect_uri'])(
    'is refused, which %s may be, and the code stays good',
    async (name) => {
      const good = await exchangeOf(strict)
      const { [name]: value = '', ...others } = good
      const refused = await postAs(strict, `/oauth/token${query({ [name]: value })}`, others)
      expect(await errorOf(refused)).toBe('400 invalid_request')
      expect((await postAs(strict, '/oauth/token', good)).status).toBe(200)
    },
  )

  test('is refused if there is no body at all, and masked in the log', async () => {
    const good = await exchangeOf(strict)
    const answer = await strict.ask(`/oauth/token${query(good)}`, { method: 'POST' })
    expect(await errorOf(answer)).toBe('400 invalid_request')
    expectMasked(strict, [good.code, good.client_secret])
  })

  test('is accepted with --oauth-query-parameters, as are all of them, and masked in the log', async () => {
    for (const name of ['client_id', 'client_secret', 'code', 'grant_type', 'redirect_uri']) {
      const { [name]: value = '', ...others } = await exchangeOf(lenient)
      const answer = await postAs(lenient, `/oauth/token${query({ [name]: value })}`, others)
      expect([name, answer.status]).toEqual([name, 200])
    }
    const good = await exchangeOf(lenient)
    const answer = await lenient.ask(`/oauth/token${query(good)}`, { method: 'POST' })
    expect(answer.status).toBe(200)
    expectMasked(lenient, [good.code, good.client_secret])
  })

  test('is accepted with --oauth-query-parameters for revocation too', async () => {
    const token = await tokenFor(lenient, clientOf(lenient))
    const target = `/oauth/revoke${query({ ...credentialsOf(lenient), token })}`
    expect((await lenient.ask(target, { method: 'POST' })).status).toBe(200)
    expect(await isAlive(lenient, token)).toBe(false)
  })

  test('must be as valid there as in a body', async () => {
    const good = await exchangeOf(lenient)
    const asked = (values: Params) =>
      lenient.ask(`/oauth/token${query({ ...good, ...values })}`, { method: 'POST' })
    expect(await errorOf(await asked({ client_secret: 'wrong' }))).toBe('401 invalid_client')
    expect(await errorOf(await asked({ code: 'wrong' }))).toBe('400 invalid_grant')
    expect(await errorOf(await asked({ code: 'x'.repeat(4097) }))).toBe('400 invalid_request')
    expect(await errorOf(await asked({ grant_type: 'password' }))).toBe('400 unsupported_grant_type')
  })
})
