import { afterAll, describe, expect, test } from 'bun:test'
import { createEcho } from '../support/echo'
import { createInstance, refusals, types, withToken } from '../support/instance'

const kiroku = await createInstance()
const { post } = createEcho(kiroku)
afterAll(kiroku.close)

const target = '/v1/me/notifications/read'
const kib = 1024

/** A body that starts and then stalls until it is ended. */
function slowBody() {
  let end = () => {}
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('note=x'))
      end = () => controller.close()
    },
  })
  return { body, end }
}

/** Sends many slow bodies at once; `settled` are the responses that did not wait for them. */
function sendSlowly(count: number, init: RequestInit) {
  const settled: Response[] = []
  const sent = Array.from({ length: count }, () => {
    const { body, end } = slowBody()
    const answer = kiroku.ask(target, { method: 'POST', ...init, body })
    void answer.then((response) => settled.push(response))
    return { answer, end }
  })
  const endAll = async () => {
    for (const { end } of sent) end()
    return Promise.all(sent.map(({ answer }) => answer))
  }
  return { settled, endAll }
}

const form = { headers: { 'content-type': types.form } }
const soon = () => Bun.sleep(20)

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

  test('is read up to 16 MB in all; beyond that it is 503, while token holders continue', async () => {
    const { settled, endAll } = sendSlowly(264, form)
    await soon()
    expect(settled).toHaveLength(8)
    for (const refused of settled) {
      expect(refused.headers.get('retry-after')).toBe('5')
      expect(await refusals(refused, 'service_unavailable')).toEqual([
        'Too many request bodies are being received at once.',
      ])
    }
    expect((await post('note=x', types.form)).status).toBe(200)
    const answers = await endAll()
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(256)
    expect((await kiroku.ask(target, withBody(kiroku.token, 1000))).status).toBe(204)
  })
})

test('bodies of token holders are read up to 16 MB in all (promise 12)', async () => {
  const { settled, endAll } = sendSlowly(66, withToken(kiroku.token, form))
  await soon()
  expect(settled.map(({ status }) => status)).toEqual([503, 503])
  await endAll()
  expect((await post('note=x', types.form)).status).toBe(200)
})

test('up to 4,096 requests are answered at once, as many as there may be connections (promise 12)', async () => {
  const bodyless = Array.from({ length: 4200 }, () => kiroku.ask('/v1/me'))
  const answers = await Promise.all(bodyless)
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(4096)
  expect(statuses.slice(4096)).toEqual(new Array(104).fill(503))
  expect((await kiroku.ask('/v1/me')).status).toBe(401)
})
