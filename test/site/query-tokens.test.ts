import { afterAll, expect, test } from 'bun:test'
import { createInstance, refusals, withToken } from '../support/instance'

const kiroku = await createInstance({ config: { queryTokens: false } })
const { ask, token } = kiroku
afterAll(kiroku.close)

test('a token in the query is refused if that is turned off, even a valid one (ASVS 14.2.1)', async () => {
  for (const target of [`/v1/works?access_token=${token}`, '/v1/works?access_token=x&access_token=']) {
    const response = await ask(target)
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_request"')
    expect(await refusals(response, 'invalid_params')).toEqual([
      'access_token must not be sent in the query of this instance; use Authorization: Bearer.',
    ])
  }
  expect((await ask(`/oauth/token/info?access_token=${token}`)).status).toBe(400)
})

test('one in the header or in a body is still accepted (D30)', async () => {
  expect((await ask('/v1/works', withToken(token))).status).toBe(200)
  expect((await ask('/oauth/token/info', withToken(token))).status).toBe(200)
  const body = new URLSearchParams({ access_token: token })
  expect((await ask('/v1/me/notifications/read', { method: 'POST', body })).status).toBe(204)
})
