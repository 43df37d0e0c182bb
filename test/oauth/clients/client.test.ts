import { afterAll, describe, expect, test } from 'bun:test'
import { createInstance } from '../../support/instance'
import {
  basic,
  errorOf,
  expectError,
  type Params,
  redeem as redeemWith,
  registerClient,
  type Values,
  verifier,
} from '../../support/oauth'

const kiroku = await createInstance()
const { deps } = kiroku
afterAll(kiroku.close)
const client = await registerClient(kiroku)
const other = await registerClient(kiroku)
const open = await registerClient(kiroku, { isConfidential: false })

/** Requests a token with a valid code and all other parameters, changed by `values`. */
const redeem = (values: Values = {}, headers: Params = {}, who = client) =>
  redeemWith(kiroku, who, values, { headers })

describe('a client that fails to authenticate', () => {
  const wrong = `${client.secret.slice(0, -1)}${client.secret.endsWith('0') ? 1 : 0}`
  test('TK-08: gets the same response whatever is wrong, with a challenge', async () => {
    const answers = []
    for (const [values, headers] of [
      [{ client_secret: wrong }, {}],
      [{ client_secret: other.secret }, {}],
      [{ client_id: 'nobody' }, {}],
      [{ client_id: undefined, client_secret: undefined }, {}],
      [{ client_secret: undefined }, {}],
      [{ client_secret: '' }, {}],
      [{ client_id: undefined, client_secret: undefined }, basic(client.uid, wrong)],
      [{ client_id: undefined, client_secret: undefined }, basic('nobody', client.secret)],
    ] as const) {
      const response = await redeem(values, headers)
      expect(response.headers.get('www-authenticate')).toBe('Basic realm="kiroku"')
      answers.push(await response.clone().text())
      await expectError(response, '401 invalid_client')
    }
    expect(new Set(answers).size).toBe(1)
  })

  test('§2.7: is logged, by name if one exists', async () => {
    const logged = () => kiroku.lines.findLast(({ event }) => event === 'client_refused')?.facts
    await redeem({ client_secret: wrong })
    expect(logged()).toMatchObject({ error: 'invalid_client', client: client.uid })
    await redeem({ client_id: 'nobody' })
    expect(logged()).toMatchObject({ error: 'invalid_client', client: undefined })
  })

  const malformed = [
    '',
    ' ',
    '!!!',
    'YQ',
    btoa('nocolon'),
    btoa(':secret'),
    btoa('a\n:b'),
    btoa('a:\u0000'),
    '/w==',
    btoa('%zz:x'),
    btoa('%FF:x'),
  ]
  test.each(malformed)('TK-05: Basic %p is refused', async (credentials) => {
    const without = { client_id: undefined, client_secret: undefined }
    await expectError(await redeem(without, { authorization: `Basic ${credentials}` }), '401 invalid_client')
  })

  test('TK-06: must not authenticate twice', async () => {
    const byHeader = basic(client.uid, client.secret)
    await expectError(await redeem({}, byHeader), '400 invalid_request')
    const elsewise = { client_id: other.uid, client_secret: undefined }
    await expectError(await redeem(elsewise, byHeader), '400 invalid_request')
  })

  test('TK-22: a public client has no secret to send, and needs PKCE', async () => {
    const sent = { client_secret: 'x', code_verifier: verifier }
    await expectError(await redeem(sent, {}, open), '401 invalid_client')
    await expectError(await redeem({}, {}, open), '400 invalid_grant')
  })
})

test('AP-04: after a rotation both secrets are valid until the overlap ends', async () => {
  const rotated = await registerClient(kiroku)
  const next = await registerClient(kiroku)
  await deps.write(async (tx) => {
    const overlap = { expires_at: deps.now() + 1000 }
    await tx.updateTable('client_secrets').set(overlap).where('application_id', '=', rotated.id).execute()
    const moved = { application_id: rotated.id }
    await tx.updateTable('client_secrets').set(moved).where('application_id', '=', next.id).execute()
  })
  expect((await redeem({}, {}, rotated)).status).toBe(200)
  kiroku.clock.now += 1000
  expect(await errorOf(await redeem({}, {}, rotated))).toBe('401 invalid_client')
  expect((await redeem({ client_secret: next.secret }, {}, rotated)).status).toBe(200)
})
