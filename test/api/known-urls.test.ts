import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { CachedBody } from '../../src/api/body'
import { createShared } from '../../src/api/endpoint'
import { parseNetwork } from '../../src/lib/network'
import { createMetrics } from '../../src/metrics/create-metrics'
import type { Metrics } from '../../src/metrics/metrics'
import { type Body, createInstance, type Instance, types, withToken } from '../support/instance'
import { seedLibrary } from '../support/seed-library'

let kiroku: Instance
let metrics: Metrics

beforeAll(async () => {
  metrics = await createMetrics()
  const proxy = parseNetwork('10.0.0.0/8') ?? ''
  const config = { rateLimit: 40, trustedProxies: [proxy], baseUrl: 'https://kiroku.example' } as const
  kiroku = await createInstance({ seed: seedLibrary, metrics, config })
})
afterAll(() => kiroku.close())

const figure = async (name: string) =>
  Number(new RegExp(`^${RegExp.escape(name)} (.*)$`, 'm').exec((await metrics.text(false)).text)?.[1] ?? 0)

/** How many requests were answered without the router. */
const shortcuts = () => figure('kiroku_cache_hits_total{cache="urls"}')

const requests = () => figure('kiroku_http_requests_total{route="/v1/works",method="GET",code="200"}')

/** A token of its own, so that no other test has used up its requests. */
const newToken = () => kiroku.tokenOf('azusa', 'read')

/** Asks until the answer is kept and its URL is known. */
async function known(target: string, token: string): Promise<Response> {
  await kiroku.ask(target, withToken(token))
  await kiroku.ask(target, withToken(token))
  const before = await shortcuts()
  const response = await kiroku.ask(target, withToken(token))
  expect(await shortcuts()).toBe(before + 1)
  return response
}

/** The status. Only the router refuses, and whatever it answers was not found among the known URLs. */
async function theLongWay(target: string, init: RequestInit, peer?: string): Promise<number> {
  const before = await shortcuts()
  const { status } = await kiroku.ask(target, init, peer)
  if (status === 200) expect([target, await shortcuts()]).toEqual([target, before])
  return status
}

describe('a list that is requested again', () => {
  test('is answered with the same bytes and headers, logged and counted alike', async () => {
    const token = await newToken()
    const target = '/v1/works?filter_title=%E6%98%9F'
    const [first, again] = [await kiroku.ask(target, withToken(token)), await known(target, token)]
    expect([again.status, await again.text()]).toEqual([200, await first.text()])
    const { 'x-request-id': firstId, ratelimit: full, ...headers } = Object.fromEntries(first.headers)
    const { 'x-request-id': id, ratelimit: less, ...others } = Object.fromEntries(again.headers)
    expect(others).toEqual(headers)
    expect(headers['strict-transport-security']).toBeString()
    expect([full, less].map((text) => /r=(\d+)/.exec(text ?? '')?.[1])).toEqual(['39', '36'])
    expect(id).toMatch(/^[\w-]{12}$/)
    expect(id).not.toBe(firstId)
    const lines = kiroku.lines.filter(({ event }) => event === 'request').map(({ facts }) => facts)
    const [{ id: _, ms: __, ...line } = {}, { id: logged, ms, ...lastLine } = {}] = [
      lines.at(-4),
      lines.at(-1),
    ]
    expect(lastLine).toEqual(line)
    expect([logged, typeof ms]).toEqual([id, 'number'])
    const before = await requests()
    await known(target, token)
    expect(await requests()).toBe(before + 3)
  })

  test('counts as a request, up to the limit', async () => {
    const token = await newToken()
    await known('/v1/works', token)
    const statuses: number[] = []
    for (let n = 0; n < 40; n += 1) statuses.push((await kiroku.ask('/v1/works', withToken(token))).status)
    expect(statuses.indexOf(429)).toBe(37)
    expect(await theLongWay('/v1/works', withToken(token))).toBe(429)
  })

  test('is a use of its token', async () => {
    const token = await newToken()
    const lastUse = async () => {
      // Behind the write of the use.
      await kiroku.deps.write(async () => {})
      return kiroku.store.handle.query('select last_used_at from tokens order by id desc limit 1').values()
    }
    await known('/v1/works', token)
    expect(await lastUse()).toEqual([[kiroku.clock.now]])
    await known('/v1/works', token)
    kiroku.clock.now += 60_000
    const before = await shortcuts()
    await kiroku.ask('/v1/works', withToken(token))
    expect([await shortcuts(), await lastUse()]).toEqual([before + 1, [[kiroku.clock.now]]])
  })

  test.each(['/v1/me/works', '/v1/me/works?per_page=1&sort_id=desc'])(
    '%s is its caller’s own',
    async (target) => {
      const [one, two] = [await newToken(), await kiroku.tokenOf('Ritsu_T', 'read')]
      const answers = [await (await known(target, one)).text(), await (await known(target, two)).text()]
      expect(answers[0]).not.toBe(answers[1])
    },
  )
})

describe('the router still answers', () => {
  test('a request with a bad Host, or at a time when the clock is wrong', async () => {
    const token = await newToken()
    await known('/v1/works', token)
    const headers = { authorization: `Bearer ${token}`, host: 'a b' }
    expect(await theLongWay('/v1/works', { headers })).toBe(400)
    const { wallClock } = kiroku.deps
    const { behind } = wallClock
    Object.assign(wallClock, { behind: () => kiroku.clock.now + 1 })
    expect(await theLongWay('/v1/works', withToken(token))).toBe(503)
    Object.assign(wallClock, { behind })
    await known('/v1/works', token)
  })

  test('another method, URL, token or scheme, two tokens, and a token in the query', async () => {
    const token = await newToken()
    await known('/v1/works', token)
    expect(await theLongWay('/v1/works', withToken(token, { method: 'HEAD' }))).toBe(200)
    expect(await theLongWay('/v1/works', withToken(token, { method: 'POST' }))).toBe(405)
    const headers = { 'content-type': types.form }
    expect(await theLongWay('/v1/works', withToken(token, { method: 'GET', headers, body: 'page=2' }))).toBe(
      200,
    )
    expect(await theLongWay('/v1/works?', withToken(token))).toBe(200)
    expect(await theLongWay('/v1/works', withToken(`${token}x`))).toBe(401)
    expect(await theLongWay('/v1/works', { headers: { authorization: `Basic ${token}` } })).toBe(401)
    expect(await theLongWay(`/v1/works?access_token=${token}`, withToken(token))).toBe(400)
    for (let n = 0; n < 3; n += 1) expect(await theLongWay(`/v1/works?access_token=${token}`, {})).toBe(200)
  })

  test('a token that has expired since', async () => {
    const token = await kiroku.tokenOf('azusa', 'read', 60_000)
    await known('/v1/works', token)
    kiroku.clock.now += 60_000
    expect(await theLongWay('/v1/works', withToken(token))).toBe(401)
  })

  test('what a trusted proxy sends, whose headers say from whom', async () => {
    const token = await newToken()
    await known('/v1/works', token)
    const headers = { 'x-forwarded-for': '198.51.100.7', 'x-request-id': 'of-the-proxy' }
    expect(await theLongWay('/v1/works', withToken(token, { headers }), '10.1.2.3')).toBe(200)
    expect(kiroku.lines.at(-1)?.facts).toMatchObject({ id: 'of-the-proxy', peer: '198.51.100.7' })
  })

  test('after a write to one of its tables; a write to others leaves it known', async () => {
    const token = await newToken()
    await known('/v1/works', token)
    const { write } = kiroku.deps
    await write((tx) => tx.updateTable('series').set({ name: '別' }).where('id', '=', 1).execute())
    await known('/v1/works', token)
    await write((tx) => tx.updateTable('works').set({ title: '改題' }).where('id', '=', 1).execute())
    const titleIn = async (answer: Response) => ((await answer.json()) as Body).works[0].title
    expect(await titleIn(await kiroku.ask('/v1/works', withToken(token)))).toBe('改題')
    expect(await titleIn(await known('/v1/works', token))).toBe('改題')
  })
})

test('known URLs take up to 2 MB, and long ones are not remembered (promise 12)', async () => {
  const { urls } = createShared(kiroku.deps)
  const one = {
    token: 'x'.repeat(50),
    route: '/v1/works',
    body: `/v1/works ${'x'.repeat(200)}`,
    hasBlock: false,
  }
  for (let n = 0; n < 20_000; n += 1)
    urls.set(`Bearer ${'x'.repeat(50)} http://localhost/v1/works?page=${n}`, 0, one)
  const { bytes, capacity, entries } = urls.usage()
  expect(bytes).toBeLessThanOrEqual(capacity)
  expect(capacity).toBe(2_000_000)
  expect(entries).toBeWithin(1000, 3000)
  urls.set('x'.repeat(501), 0, one)
  expect(urls.get('x'.repeat(501), 0)).toBeUndefined()
})

test('known callers take up to 1 MB, and kept answers up to 12 MB (promise 12)', () => {
  const { viewers, bodies } = createShared(kiroku.deps)
  const from = { at: kiroku.deps.generations.last(), tables: ['tokens'] }
  const viewer = {
    userId: 1,
    tokenId: 1,
    applicationId: null,
    scopes: [],
    expiresAt: null,
    lastUsedAt: null,
    hasBlock: false,
  }
  for (let n = 0; n < 5000; n += 1) {
    viewers.set(`${'x'.repeat(50)}${n}`, from, viewer)
    bodies.set(`/v1/works ${n}`, from, new CachedBody(new Uint8Array(10_000)))
  }
  for (const [{ bytes, capacity, entries }, most] of [
    [viewers.usage(), 1_000_000],
    [bodies.usage(), 12_000_000],
  ] as const) {
    expect([capacity, bytes <= capacity, bytes > capacity * 0.9]).toEqual([most, true, true])
    expect(entries).toBeWithin(1000, 2000)
  }
})
