import { describe, expect, test } from 'bun:test'
import { settings } from '../../src/config'
import { type Body, createInstance, type Instance, refusals, setClock, withToken } from '../support/instance'

async function limited(perMinute: number | null, check: (kiroku: Instance) => Promise<void>): Promise<void> {
  const kiroku = await createInstance({ config: { rateLimit: perMinute } })
  await check(kiroku)
  await kiroku.close()
}

const allowance = ({ headers }: Response) => headers.get('ratelimit')

/** Sends n requests; every response must have this status. */
async function times(n: number, status: number, ask: () => Promise<Response>): Promise<void> {
  for (let asked = 0; asked < n; asked++) expect((await ask()).status).toBe(status)
}

describe('a token (D53)', () => {
  test('may make a whole minute’s requests at once; then it is told when to come back', () =>
    limited(settings.rateLimit.defaultValue, async ({ get, clock }) => {
      const first = await get('/v1/series')
      expect(first.headers.get('ratelimit-policy')).toBe('"default";q=1200;w=60')
      expect(allowance(first)).toBe('"default";r=1199;t=0')
      await times(1199, 200, () => get('/v1/series'))
      const refused = await get('/v1/series')
      expect([refused.headers.get('retry-after'), allowance(refused)]).toEqual(['1', '"default";r=0;t=1'])
      expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=1200;w=60')
      await refusals(refused, 'rate_limited')
      clock.now += 49
      await refusals(await get('/v1/series'), 'rate_limited')
      clock.now += 1
      await times(1, 200, () => get('/v1/series'))
      await refusals(await get('/v1/series'), 'rate_limited')
      clock.now += 60_000
      await times(1200, 200, () => get('/v1/series'))
      await refusals(await get('/v1/series'), 'rate_limited')
    }))

  test.each([
    [8_500, 170],
    [18_055, 362],
  ])(
    'may list a catalogue of %d works 50 at a time, without a pause',
    async (works, requests) => {
      await limited(settings.rateLimit.defaultValue, async ({ get, store }) => {
        store.handle.run(`
        with recursive numbers (i) as (select 101 union all select i + 1 from numbers where i < ${works - 9 + 100})
        insert into works (id, title, media, source_id) select i, 'w', 'tv', 1 from numbers`)
        let asked = 0
        for (let page: number | null = 1; page !== null; asked += 1) {
          const response = await get(`/v1/works?per_page=50&fields=id&page=${page}`)
          expect([page, response.status]).toEqual([page, 200])
          const { next_page, total_count } = (await response.json()) as Body
          expect(total_count).toBe(works)
          page = next_page
        }
        expect(asked).toBe(requests)
      })
    },
    60_000,
  )

  test('is counted alone, however and wherever it is sent from', () =>
    limited(1, async ({ ask, token, tokenOf, clock }) => {
      const other = await tokenOf('mio', 'read')
      await times(1, 200, () => ask('/v1/series', withToken(token), '192.0.2.1'))
      await times(1, 429, () => ask('/v1/works', withToken(token), '192.0.2.2'))
      await times(1, 429, () => ask(`/v1/works?access_token=${token}`))
      await times(1, 200, () => ask('/v1/series', withToken(other)))
      clock.now += 60_000
      await times(1, 200, () => ask('/v1/series', withToken(token)))
    }))

  test('is counted even for requests that are forbidden or refused', () =>
    limited(2, async ({ ask, get, tokenOf }) => {
      const writing = withToken(await tokenOf('mio', 'write'))
      await times(2, 403, () => ask('/v1/series', writing))
      await times(1, 429, () => ask('/v1/series', writing))
      await times(2, 400, () => get('/v1/series?page=0'))
      await times(1, 429, () => get('/v1/series?page=0'))
    }))

  test('is told how long to wait in whole seconds, rounded up', () =>
    limited(1, async ({ get, clock }) => {
      await times(1, 200, () => get('/v1/series'))
      expect((await get('/v1/series')).headers.get('retry-after')).toBe('60')
      clock.now += 30_500
      expect((await get('/v1/series')).headers.get('retry-after')).toBe('30')
    }))

  test.each([
    ['an hour back', [-3_600_000]],
    ['a day ahead', [86_400_000]],
    ['a thousand days ahead and back again', [86_400_000_000, -86_400_000_000]],
  ])('gains and loses nothing when the clock is set %s', (_, jumps) =>
    limited(10, async (kiroku) => {
      const { get, clock } = kiroku
      while ((await get('/v1/series')).status === 200);
      for (const by of jumps) {
        setClock(kiroku, by)
        const refused = await get('/v1/series')
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '6'])
      }
      clock.now += 6000
      await times(1, 200, () => get('/v1/series'))
      await times(1, 429, () => get('/v1/series'))
    }),
  )
})

describe('an address without a valid token', () => {
  test('may send 60 requests at once and 120 a minute', () =>
    limited(600, async ({ ask, clock }) => {
      await times(30, 401, () => ask('/v1/series', {}, '192.0.2.1'))
      await times(30, 401, () => ask('/v1/works', withToken('wrong'), '192.0.2.1'))
      const refused = await ask('/v1/works', withToken('wrong'), '192.0.2.1')
      expect(refused.headers.get('retry-after')).toBe('1')
      await refusals(refused, 'rate_limited')
      await times(1, 401, () => ask('/v1/series', {}, '192.0.2.2'))
      clock.now += 500
      await times(1, 401, () => ask('/v1/series', {}, '192.0.2.1'))
      await times(1, 429, () => ask('/v1/series', {}, '192.0.2.1'))
    }))

  test('may still send requests with a valid one', () =>
    limited(600, async ({ ask, token }) => {
      await times(60, 401, () => ask('/v1/series', {}, '192.0.2.1'))
      await times(1, 429, () => ask('/v1/series', {}, '192.0.2.1'))
      await times(1, 200, () => ask('/v1/series', withToken(token), '192.0.2.1'))
    }))

  test('is counted for requests that cannot be understood', () =>
    limited(600, async ({ ask, get, token }) => {
      await times(30, 400, () => ask('/v1/series?x=%zz'))
      await times(30, 400, () => get(`/v1/series?access_token=${token}`))
      await times(1, 429, () => ask('/v1/series?x=%zz'))
      await times(1, 429, () => ask('/v1/series'))
      await times(1, 200, () => get('/v1/series'))
    }))

  test('is not counted for unknown paths', () =>
    limited(600, async ({ ask }) => {
      await times(100, 404, () => ask('/v1/nothing'))
      await times(100, 405, () => ask('/v1/works', { method: 'DELETE' }))
      await times(100, 204, () => ask('/v1/works', { method: 'OPTIONS' }))
      await times(1, 401, () => ask('/v1/works'))
    }))

  test('gains nothing from what it claims about itself', () =>
    limited(600, async ({ ask }) => {
      const said = (n: number) => ({
        headers: { 'x-forwarded-for': `10.0.0.${n}`, forwarded: `for=10.0.0.${n}` },
      })
      for (let n = 0; n < 60; n++) expect((await ask('/v1/works', said(n))).status).toBe(401)
      await times(1, 429, () => ask('/v1/works', said(200)))
    }))
})

test('without a limit nobody is limited, and no header mentions one', () =>
  limited(null, async ({ ask, get }) => {
    await times(300, 401, () => ask('/v1/series'))
    await times(300, 200, () => get('/v1/series?per_page=1'))
    const names = [...(await get('/v1/series')).headers.keys()]
    expect(names.filter((name) => name.startsWith('ratelimit'))).toEqual([])
  }))
