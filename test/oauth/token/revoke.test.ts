import { afterAll, describe, expect, test } from 'bun:test'
import { createSecret } from '../../../src/lib/secret'
import { type Body, createInstance, types } from '../../support/instance'
import {
  basic,
  errorOf,
  isAlive,
  type Params,
  postAs,
  redeem,
  registerClient,
  tokenFor,
  verifier,
} from '../../support/oauth'

const kiroku = await createInstance()
const { ask, lines, deps } = kiroku
afterAll(kiroku.close)
const client = await registerClient(kiroku)
const other = await registerClient(kiroku)
const open = await registerClient(kiroku, { isConfidential: false })
const otherOpen = await registerClient(kiroku, { isConfidential: false })

const credentials = { client_id: client.uid, client_secret: client.secret }
const revoke = (values: Params, headers: Params = {}) => postAs(kiroku, '/oauth/revoke', values, headers)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const fresh = () => tokenFor(kiroku, client)
const openToken = async () =>
  ((await (await redeem(kiroku, open, { code_verifier: verifier })).json()) as Body).access_token

/** 200 with an empty object (RFC 7009 §2.2). */
async function expectDone(response: Response): Promise<void> {
  expect([response.status, await response.text()]).toEqual([200, '{}'])
  expect(response.headers.get('cache-control')).toBe('no-store')
}

describe('unauthorized revocation', () => {
  test.each([
    ['a wrong secret', { ...credentials, client_secret: 'wrong' }],
    ['no secret', { client_id: client.uid }],
    ['an unknown client', { client_id: 'nobody', client_secret: client.secret }],
    ['a secret alone', { client_secret: client.secret }],
    ['nothing', {}],
  ])('RV-04: %s is 401, and the token lives', async (_, values) => {
    const token = await fresh()
    const response = await revoke({ ...(values as Params), token })
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="kiroku"')
    expect(await errorOf(response)).toBe('401 invalid_client')
    expect(await isAlive(kiroku, token)).toBe(true)
  })

  test('RV-04: wrong credentials are 401, even with the right Bearer and for unknown tokens', async () => {
    const token = await fresh()
    const wrong = { ...credentials, client_secret: 'wrong' }
    expect(await errorOf(await revoke({ ...wrong, token }, bearer(token)))).toBe('401 invalid_client')
    expect(await errorOf(await revoke({ ...wrong, token: 'unknown' }))).toBe('401 invalid_client')
    expect(await errorOf(await revoke(wrong))).toBe('401 invalid_client')
    expect(await isAlive(kiroku, token)).toBe(true)
  })

  test('RV-04: without credentials a Bearer must be the token itself', async () => {
    const [token, another] = [await fresh(), await fresh()]
    expect(await errorOf(await revoke({ token }, bearer(another)))).toBe('401 invalid_client')
    expect([await isAlive(kiroku, token), await isAlive(kiroku, another)]).toEqual([true, true])
  })

  test('RV-05: another client is 403, even with its Bearer, and the token stays valid', async () => {
    const token = await fresh()
    const theirs = { client_id: other.uid, client_secret: other.secret, token }
    expect(await errorOf(await revoke(theirs))).toBe('403 unauthorized_client')
    expect(await errorOf(await revoke(theirs, bearer(token)))).toBe('403 unauthorized_client')
    expect(await isAlive(kiroku, token)).toBe(true)
  })

  test('RV-05: so is a public one', async () => {
    for (const token of [await fresh(), await openToken()]) {
      const response = await revoke({ client_id: otherOpen.uid, token })
      expect(await errorOf(response)).toBe('403 unauthorized_client')
      expect(await isAlive(kiroku, token)).toBe(true)
    }
  })

  test('RV-08: a client is 403 for a personal token', async () => {
    const token = await kiroku.tokenOf('mio', 'read')
    expect(await errorOf(await revoke({ ...credentials, token }))).toBe('403 unauthorized_client')
    expect(await errorOf(await revoke({ ...credentials, token }, bearer(kiroku.token)))).toBe(
      '403 unauthorized_client',
    )
    expect(await isAlive(kiroku, token)).toBe(true)
  })
})

describe('an invalid request', () => {
  test('D47: token is required', async () => {
    for (const values of [credentials, { ...credentials, token: '' }]) {
      expect(await errorOf(await revoke(values))).toBe('400 invalid_request')
    }
  })

  test('RV-07: nothing is accepted only in the query', async () => {
    const token = await fresh()
    const response = await postAs(kiroku, `/oauth/revoke?token=${token}`, credentials)
    expect(await errorOf(response)).toBe('400 invalid_request')
    expect(await isAlive(kiroku, token)).toBe(true)
  })

  test('RV-07: GET is 405', async () => {
    const response = await ask('/oauth/revoke')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })

  test('a token that is sent twice is refused', async () => {
    const body = 'token=a&token=b'
    const headers = { 'content-type': types.form, ...basic(client.uid, client.secret) }
    expect(await errorOf(await ask('/oauth/revoke', { method: 'POST', body, headers }))).toBe(
      '400 invalid_request',
    )
  })
})

describe('a token', () => {
  test('RV-01: of the client is invalid from the next request on, and the log says so', async () => {
    const token = await fresh()
    expect(await isAlive(kiroku, token)).toBe(true)
    await expectDone(await revoke({ ...credentials, token }))
    expect(await isAlive(kiroku, token)).toBe(false)
    const { facts } = lines.findLast(({ event }) => event === 'token_revoked') ?? {}
    expect(facts).toMatchObject({ client: client.uid, user: 1 })
  })

  test('RV-02: that is unknown, malformed or already revoked counts as revoked', async () => {
    const gone = await fresh()
    await revoke({ ...credentials, token: gone })
    for (const token of [gone, createSecret('at', deps.random), 'x', '記録', 'x'.repeat(4000)]) {
      await expectDone(await revoke({ ...credentials, token }))
    }
    await expectDone(await revoke({ token: gone }, bearer(gone)))
  })

  test.each(['access_token', 'refresh_token', 'nonsense'])(
    'RV-03: dies whatever the hint: %p',
    async (hint) => {
      const token = await fresh()
      await expectDone(await revoke({ ...credentials, token, token_type_hint: hint }))
      expect(await isAlive(kiroku, token)).toBe(false)
    },
  )

  test('RV-06: is revoked whether its own Bearer, another one or a bad one is sent too', async () => {
    for (const beside of ['own', kiroku.token, 'nonsense', '']) {
      const token = await fresh()
      await expectDone(await revoke({ ...credentials, token }, bearer(beside === 'own' ? token : beside)))
      expect(await isAlive(kiroku, token)).toBe(false)
    }
  })

  test('RV-06, D47: is revoked by its own Bearer alone', async () => {
    const token = await fresh()
    await expectDone(await revoke({ token }, bearer(token)))
    expect(await isAlive(kiroku, token)).toBe(false)
  })

  test('RV-05: of a public client is revoked by its client_id', async () => {
    const token = await openToken()
    await expectDone(await revoke({ client_id: open.uid, token }))
    expect(await isAlive(kiroku, token)).toBe(false)
  })

  test('RV-08: of a person is revoked by its own Bearer, with or without a client', async () => {
    for (const beside of [{}, credentials]) {
      const token = await kiroku.tokenOf('mio', 'read')
      await expectDone(await revoke({ ...beside, token }, bearer(token)))
      expect(await isAlive(kiroku, token)).toBe(false)
    }
  })

  test('RV-07: can be revoked by form, JSON and HTTP Basic', async () => {
    const [one, two] = [await fresh(), await fresh()]
    const json = JSON.stringify({ ...credentials, token: one })
    await expectDone(
      await ask('/oauth/revoke', { method: 'POST', body: json, headers: { 'content-type': types.json } }),
    )
    await expectDone(await revoke({ token: two }, basic(client.uid, client.secret)))
    expect([await isAlive(kiroku, one), await isAlive(kiroku, two)]).toEqual([false, false])
  })

  test('RV-09: may be revoked 20 times at once', async () => {
    const token = await fresh()
    const answers = await Promise.all(Array.from({ length: 20 }, () => revoke({ ...credentials, token })))
    for (const answer of answers) await expectDone(answer)
    expect(await isAlive(kiroku, token)).toBe(false)
  })

  test('AP-05: ends with its application', async () => {
    const gone = await registerClient(kiroku)
    const token = await tokenFor(kiroku, gone)
    expect(await isAlive(kiroku, token)).toBe(true)
    await deps.write((tx) => tx.deleteFrom('applications').where('id', '=', gone.id).execute())
    expect(await isAlive(kiroku, token)).toBe(false)
  })
})
