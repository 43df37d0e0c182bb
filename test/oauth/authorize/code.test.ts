import { afterAll, describe, expect, test } from 'bun:test'
import { type Body, createInstance } from '../../support/instance'
import {
  type Client,
  callback,
  codeFor,
  errorOf,
  exchange,
  isAlive,
  type Params,
  pkce,
  postAs,
  registerClient,
  tokenFor,
  verifier,
} from '../../support/oauth'
import { createMember } from '../../support/visitor'

const kiroku = await createInstance()
const { deps, clock, lines } = kiroku
afterAll(kiroku.close)
const client = await registerClient(kiroku, { redirectUris: [callback, 'http://127.0.0.1/cb'] })
const other = await registerClient(kiroku)
const displayed = await registerClient(kiroku, { redirectUris: ['urn:ietf:wg:oauth:2.0:oob'] })

const redeem = (code: string, values: Params = {}, who: Client = client) =>
  postAs(kiroku, '/oauth/token', { ...exchange(who, code), ...values })

const tokenOf = async (response: Response): Promise<string> => {
  expect(response.status).toBe(200)
  return ((await response.json()) as Body).access_token
}

describe('a code', () => {
  test('TK-12: that is unknown, expired, somebody else’s or for another redirect_uri causes the same error', async () => {
    const code = await codeFor(kiroku, client)
    const late = await codeFor(kiroku, client)
    const answers = [
      await redeem('nonsense'),
      await redeem(`${code.slice(0, -1)}${code.endsWith('0') ? 1 : 0}`),
      await redeem(code, {}, other),
      await redeem(code, { redirect_uri: 'http://127.0.0.1/cb' }),
      await redeem(code, { code_verifier: verifier }),
    ]
    clock.now += 60_000
    answers.push(await redeem(late))
    const said = await Promise.all(answers.map(async (answer) => `${answer.status} ${await answer.text()}`))
    expect(new Set(said).size).toBe(1)
    expect(said[0]).toStartWith('400 {"error":"invalid_grant",')
  })

  test('D45: that was presented wrongly is still valid', async () => {
    const code = await codeFor(kiroku, client, { params: pkce })
    const good = { code_verifier: verifier }
    await redeem(code, { ...good, client_secret: 'wrong' })
    await redeem(code, { ...good, redirect_uri: 'http://127.0.0.1/cb' })
    await redeem(code, { code_verifier: 'x'.repeat(43) })
    await redeem(code, good, other)
    await redeem(code)
    expect((await redeem(code, good)).status).toBe(200)
  })

  test('TK-13: is for the redirect_uri of its request, port included', async () => {
    const redirect_uri = 'http://127.0.0.1:49152/cb'
    const code = await codeFor(kiroku, { ...client, redirectUri: redirect_uri })
    for (const wrong of ['http://127.0.0.1/cb', 'http://127.0.0.1:49153/cb', callback, `${redirect_uri}/`]) {
      expect(await errorOf(await redeem(code, { redirect_uri: wrong }))).toBe('400 invalid_grant')
    }
    expect((await redeem(code, { redirect_uri })).status).toBe(200)
  })

  test.each([
    ['a minute', client, 60_000],
    ['ten minutes when it is displayed', displayed, 600_000],
  ])('TK-17: lives for %s', async (_, who, life) => {
    const [late, timely] = [await codeFor(kiroku, who), await codeFor(kiroku, who)]
    clock.now += life - 1
    expect((await redeem(timely, {}, who)).status).toBe(200)
    clock.now += 1
    expect(await errorOf(await redeem(late, {}, who))).toBe('400 invalid_grant')
  })

  test('AZ-29: of a user who has been disabled is worth nothing', async () => {
    const code = await codeFor(kiroku, client, { visitor: await createMember(kiroku, 'azusa') })
    const disable = (disabled_at: number | null) =>
      deps.write((tx) => tx.updateTable('users').set({ disabled_at }).where('id', '=', 4).execute())
    await disable(1)
    expect(await errorOf(await redeem(code))).toBe('400 invalid_grant')
    await disable(null)
    expect((await redeem(code)).status).toBe(200)
  })

  test('is deleted a day after it expired', async () => {
    await codeFor(kiroku, client)
    clock.now += 86_400_000 + 600_000
    await codeFor(kiroku, client)
    expect(await deps.read.selectFrom('authorization_codes').select('id').execute()).toHaveLength(1)
  })
})

describe('PKCE', () => {
  const withChallenge = () => codeFor(kiroku, client, { params: pkce })

  test.each([
    ['missing', {}, '400 invalid_grant'],
    ['another one', { code_verifier: 'x'.repeat(43) }, '400 invalid_grant'],
    ['in other letters', { code_verifier: verifier.toLowerCase() }, '400 invalid_grant'],
    ['the challenge itself', { code_verifier: pkce.code_challenge }, '400 invalid_grant'],
    ['too short', { code_verifier: verifier.slice(1) }, '400 invalid_request'],
    ['too long', { code_verifier: 'x'.repeat(129) }, '400 invalid_request'],
    ['of other characters', { code_verifier: `${verifier.slice(1)}+` }, '400 invalid_request'],
  ])('TK-18: a verifier that is %s is refused', async (_, values, error) => {
    expect(await errorOf(await redeem(await withChallenge(), values as Params))).toBe(error)
  })

  test('TK-18: a short verifier is refused even if its challenge matches', async () => {
    const short = new Bun.CryptoHasher('sha256').update('x').digest('base64url')
    const code = await codeFor(kiroku, client, { params: { ...pkce, code_challenge: short } })
    expect(await errorOf(await redeem(code, { code_verifier: 'x' }))).toBe('400 invalid_request')
  })

  test('TK-19: a verifier without a challenge reveals that somebody removed it', async () => {
    const code = await codeFor(kiroku, client)
    expect(await errorOf(await redeem(code, { code_verifier: verifier }))).toBe('400 invalid_grant')
  })

  test('TK-18: the verifier of RFC 7636 matches its challenge', async () => {
    expect((await redeem(await withChallenge(), { code_verifier: verifier })).status).toBe(200)
    const longest = `${'aZ09-._~'.repeat(16)}`
    const code_challenge = new Bun.CryptoHasher('sha256').update(longest).digest('base64url')
    const code = await codeFor(kiroku, client, { params: { ...pkce, code_challenge } })
    expect((await redeem(code, { code_verifier: longest })).status).toBe(200)
  })
})

describe('a second use (D44)', () => {
  const used = async () => {
    const code = await codeFor(kiroku, client, { params: pkce })
    return { code, token: await tokenOf(await redeem(code, { code_verifier: verifier })) }
  }

  test('TK-15: by somebody who could not have made the first keeps the token', async () => {
    const { code, token } = await used()
    const good = { code_verifier: verifier }
    for (const [values, who] of [
      [{ ...good, client_secret: 'wrong' }, client],
      [{ ...good, redirect_uri: 'http://127.0.0.1/cb' }, client],
      [{ code_verifier: 'x'.repeat(43) }, client],
      [{}, client],
      [good, other],
    ] as const) {
      expect((await redeem(code, values, who)).status).toBeOneOf([400, 401])
    }
    expect(await isAlive(kiroku, token)).toBe(true)
  })

  test.each([0, 60_000, 3_600_000])('TK-14: after %p ms revokes the token, and is logged', async (later) => {
    const { code, token } = await used()
    clock.now += later
    expect(await errorOf(await redeem(code, { code_verifier: verifier }))).toBe('400 invalid_grant')
    expect(await isAlive(kiroku, token)).toBe(false)
    const { facts } = lines.findLast(({ event }) => event === 'code_replayed') ?? {}
    expect(facts).toMatchObject({ client: client.uid, user: 1, revoked: 1 })
  })

  test('TK-16: of 20 at the same time one succeeds, and the others revoke its token', async () => {
    const code = await codeFor(kiroku, client)
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(code)))
    const good = answers.filter(({ status }) => status === 200)
    expect(good).toHaveLength(1)
    for (const answer of answers)
      if (answer.status !== 200) expect(await errorOf(answer)).toBe('400 invalid_grant')
    expect(await isAlive(kiroku, await tokenOf(good[0] as Response))).toBe(false)
  })
})

test('TK-23: each exchange creates a separate token, which ends alone', async () => {
  const [one, two] = [await tokenFor(kiroku, client), await tokenFor(kiroku, client)]
  expect(one).not.toBe(two)
  const { uid: client_id, secret: client_secret } = client
  await postAs(kiroku, '/oauth/revoke', { client_id, client_secret, token: one })
  expect([await isAlive(kiroku, one), await isAlive(kiroku, two)]).toEqual([false, true])
})
