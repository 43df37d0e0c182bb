import { afterAll, expect, test } from 'bun:test'
import { type Body, createInstance, withToken } from '../../support/instance'
import { authorizeUrl, exchange, postAs, redeem, registerClient } from '../../support/oauth'
import { createVisitor } from '../../support/visitor'

const kiroku = await createInstance({ config: { rateLimit: 600 } })
const { ask, clock, token } = kiroku
afterAll(kiroku.close)
const client = await registerClient(kiroku)

test('D53: an address may make 30 client requests at once and 60 a minute; then it is told when to come back', async () => {
  const guess = () => postAs(kiroku, '/oauth/token', exchange(client, 'guess'))
  const first = await guess()
  expect(first.headers.get('ratelimit-policy')).toBe('"default";q=30;w=30')
  expect([first.status, first.headers.get('ratelimit')]).toEqual([400, '"default";r=29;t=0'])
  for (let n = 0; n < 10; n += 1)
    expect((await ask('/oauth/token/info', withToken('guess'))).status).toBe(401)
  for (let n = 0; n < 19; n += 1) expect((await postAs(kiroku, '/oauth/introspect', {})).status).toBe(401)
  const refused = await redeem(kiroku, client)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect(refused.headers.get('ratelimit')).toBe('"default";r=0;t=1')
  expect(((await refused.json()) as Body).error).toBe('temporarily_unavailable')
  const revoked = await postAs(kiroku, '/oauth/revoke', { token }, { authorization: `Bearer ${token}` })
  expect(revoked.status).toBe(429)
  clock.now += 1000
  expect((await redeem(kiroku, client)).status).toBe(200)
})

test('D53: neither the API nor pages nor the metadata count towards that', async () => {
  clock.now += 60_000
  for (let n = 0; n < 30; n += 1) await ask('/oauth/token', { method: 'POST' })
  expect((await ask('/oauth/token', { method: 'POST' })).status).toBe(429)
  expect((await ask('/v1/works', withToken(token))).status).toBe(200)
  expect((await ask('/.well-known/oauth-authorization-server')).status).toBe(200)
  expect((await createVisitor(kiroku).open(authorizeUrl(client))).status).toBe(303)
  expect((await ask('/oauth/token', { method: 'POST' }, '192.0.2.2')).status).toBe(400)
})
