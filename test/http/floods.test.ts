import { afterAll, describe, expect, test } from 'bun:test'
import { createEcho } from '../support/echo'
import { createInstance, refusals, types } from '../support/instance'

const kiroku = await createInstance()
const { post } = createEcho(kiroku)
afterAll(kiroku.close)

const target = '/v1/me/notifications/read'
const kib = 1024

const form = { headers: { 'content-type': types.form } }

describe('a body, until the access token is known,', () => {
  const withBody = (token: string, size: number) => ({
    method: 'POST',
    ...form,
    body: `access_token=${token}&note=`.padEnd(size, 'x'),
  })

  test('may be 64 KiB (promise 12): one byte more is 413, which says where to send the token', async () => {
    const over = await kiroku.ask(target, withBody(kiroku.token, 64 * kib + 1))
    expect(await refusals(over, 'payload_too_large')).toEqual([
      'The body is limited to 64 KiB. With the access token in the Authorization header it may be 256 KiB.',
    ])
    expect((await kiroku.ask(target, withBody(kiroku.token, 64 * kib))).status).toBe(204)
    expect((await post(`note=${'x'.repeat(200 * kib)}`, types.form)).status).toBe(200)
  })
})

test('up to 4,096 requests are answered at once, as many as there may be connections (promise 12)', async () => {
  const bodyless = Array.from({ length: 4200 }, () => kiroku.ask('/v1/me'))
  const answers = await Promise.all(bodyless)
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(4096)
  expect(statuses.slice(4096)).toEqual(new Array(104).fill(503))
  expect((await kiroku.ask('/v1/me')).status).toBe(401)
})
