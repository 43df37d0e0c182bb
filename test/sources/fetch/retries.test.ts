import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Outside } from '../../../src/fetching/outside'
import { retryAfter } from '../../../src/sources/fetch/answer'
import { world } from '../../../src/sources/fetch/web'
import { type CatalogueStore, catalogueStore } from '../../support/catalogue-store'
import { fetching, refusal } from '../../support/source-fetch'
import { createWebSite } from '../../support/web-site'

const answers: Response[] = []
const busy = (retry?: string, status = 429) =>
  new Response('busy', { status, headers: retry === undefined ? {} : { 'retry-after': retry } })
const site = createWebSite(
  () => answers.shift() ?? new Response('here', { headers: { 'content-type': 'text/xml' } }),
)

let store: CatalogueStore
beforeAll(async () => {
  store = await catalogueStore()
})
beforeEach(() => {
  store.handle.run('delete from source_hosts')
  site.asked.length = 0
  answers.length = 0
})
afterAll(() => {
  store.close()
  return site.stop()
})

const api = () => fetching({ store, base: site.at('127.0.0.1') })
const url = 'https://api.example/'

describe('a busy source', () => {
  test.each([429, 503])('is retried when it says, after %i', async (status) => {
    answers.push(busy('7', status))
    const { ask, state } = api()
    expect((await ask(url)).text).toBe('here')
    expect(state.slept).toEqual([7000])
  })

  test('may say so as a date', async () => {
    answers.push(busy('Sun, 22 Nov 2026 12:00:09 GMT'))
    const { ask, state } = api()
    await ask(url)
    expect(state.slept).toEqual([9000])
  })

  test('is not contacted faster than its pace when it says at once', async () => {
    answers.push(busy('0'), busy('Sun, 22 Nov 2026 11:00:00 GMT'))
    const { ask, state } = api()
    await ask(url)
    expect(state.slept).toEqual([0, 1000, 0, 1000])
  })

  test.each([undefined, 'soon', '-1', '1.5'])(
    'and says %p is asked after 1, 5 and 25 minutes, then no more',
    async (retry) => {
      answers.push(...Array.from({ length: 9 }, () => busy(retry)))
      const { ask, state } = api()
      expect(await refusal(ask(url))).toBe('unreachable: status 429, also after 3 retries')
      expect(state.slept).toEqual([60_000, 300_000, 1_500_000])
      expect(site.asked).toHaveLength(4)
    },
  )

  test('is not retried for ever, whatever it says', async () => {
    answers.push(...Array.from({ length: 9 }, () => busy('1')))
    expect(await refusal(api().ask(url))).toBe('unreachable: status 429, also after 3 retries')
    expect(site.asked).toHaveLength(4)
  })

  test.each(['3601', 'Sun, 22 Nov 2026 13:00:01 GMT', '9'.repeat(400)])(
    'for more than an hour (%s) is left to the next run',
    async (retry) => {
      answers.push(busy(retry))
      const { ask, state } = api()
      expect(await refusal(ask(url))).toBe('unreachable: status 429, for longer than an hour')
      expect(state.slept).toEqual([])
    },
  )

  test('is waited for up to an hour', async () => {
    answers.push(busy('3600'))
    const { ask, state } = api()
    await ask(url)
    expect(state.slept).toEqual([3_600_000])
  })
})

test('a wait ends at once when the run is stopped', async () => {
  answers.push(busy('3000'))
  const stopping = new AbortController()
  const sleep: Outside['sleep'] = (ms, signal) => {
    setImmediate(() => stopping.abort(new Error('SIGTERM')))
    return world.sleep(ms, signal)
  }
  const { ask } = fetching({ store, base: site.at('127.0.0.1'), outside: { sleep } })
  expect(await refusal(ask(url, { signal: stopping.signal }))).toBe('Error: SIGTERM')
  expect(await refusal(ask(url, { signal: stopping.signal }))).toBe('Error: SIGTERM')
  expect(site.asked).toHaveLength(1)
})

describe('works far from Greenwich', () => {
  const { TZ } = process.env
  beforeAll(() => {
    process.env.TZ = 'Asia/Tokyo'
  })
  afterAll(() => {
    process.env.TZ = TZ ?? 'UTC'
  })
  test.each([
    ['120', 120_000],
    ['Fri, 31 Dec 1999 23:59:59 GMT', 5000],
    ['Friday, 31-Dec-99 23:59:59 GMT', 5000],
    ['Fri Dec 31 23:59:59 1999', 5000],
    ['Fri, 31 Dec 1999 23:59:00 GMT', 0],
    ['', undefined],
    ['1999', 1_999_000],
    ['+1', undefined],
    ['later', undefined],
  ])('Retry-After: %s', (header, expected) => {
    expect(retryAfter(header, Date.UTC(1999, 11, 31, 23, 59, 54))).toBe(expected)
  })
})

test('whatever is in Retry-After, it is a time to wait or nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.date().map(String)), fc.integer({ min: 0 }), (header, now) => {
      const ms = retryAfter(header, now)
      return ms === undefined || ms >= 0
    }),
  )
})
