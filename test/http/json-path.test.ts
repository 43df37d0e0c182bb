import { afterAll, describe, expect, test } from 'bun:test'
import { endpoints } from '../../src/app'
import { type Body, createInstance, refusals } from '../support/instance'

const kiroku = await createInstance()
const { ask, get } = kiroku
afterAll(kiroku.close)

describe('a path of /v1 that ends in .json (D70)', () => {
  test.each([
    '/v1/nothing.json',
    '/v1/.json',
    '/v1.json',
    '/v1/works.xml',
    '/v1/works.json.json',
    '/v1/works/.json',
    '/about.json',
  ])('%s is nobody’s', async (target) => {
    for (const method of ['GET', 'POST', 'OPTIONS'])
      await refusals(await ask(target, { method }), 'unknown_route')
  })

  test('has the methods of the path without it, and no others', async () => {
    for (const method of ['POST', 'DELETE']) {
      const response = await ask('/v1/works.json', { method })
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
      await refusals(response, 'method_not_allowed')
    }
    const preflight = await ask('/v1/me/records/1.json', { method: 'OPTIONS' })
    const plain = await ask('/v1/me/records/1', { method: 'OPTIONS' })
    expect([preflight.status, ...preflight.headers.values()].slice(0, 4)).toEqual(
      [plain.status, ...plain.headers.values()].slice(0, 4),
    )
    expect(preflight.headers.get('allow')).toBe(plain.headers.get('allow'))
  })

  test('answers like the path without it, for every list', async () => {
    for (const { method, path } of endpoints) {
      if (method !== 'GET' || path.includes(':')) continue
      const params = path === '/v1/comments' ? 'per_page=1&filter_record_id=1' : 'per_page=1'
      const [plain, json] = [await get(`${path}?${params}`), await get(`${path}.json?${params}`)]
      expect([path, json.status, await json.text()]).toEqual([path, 200, await plain.text()])
    }
    const [whole, head] = [await get('/v1/me'), await get('/v1/me.json', { method: 'HEAD' })]
    expect(head.headers.get('content-length')).toBe(String((await whole.bytes()).length))
  })

  test('accepts writes with a body, also below a base URL’s path', async () => {
    const below = await createInstance({ config: { baseUrl: 'https://kiroku.example/log' } })
    for (const [instance, prefix] of [
      [kiroku, ''],
      [below, ''],
      [below, '/log'],
    ] as const) {
      const body = JSON.stringify({ episode_id: 1, comment: '星' })
      const sent = { body, headers: { 'content-type': 'application/json' } }
      const made = await instance.get(`${prefix}/v1/me/records.json`, { method: 'POST', ...sent })
      const { id, comment }: Body = await made.json()
      expect(comment).toBe('星')
      const target = `${prefix}/v1/me/records/${id}.json`
      expect((await instance.get(target, { method: 'PATCH', ...sent })).status).toBe(200)
      expect((await instance.get(target, { method: 'PUT', ...sent })).status).toBe(200)
      expect((await instance.get(target, { method: 'DELETE' })).status).toBe(204)
    }
    await below.close()
  })
})
