import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { openHandle, openStore } from '../../../src/db/open'
import { refilled, waitFor, waitForTurn } from '../../../src/sources/fetch/pace'
import type { Pace } from '../../../src/sources/source'
import { catalogueStore } from '../../support/catalogue-store'
import { sharedClock } from '../../support/shared-clock'
import { fetching } from '../../support/source-fetch'
import { createWebSite } from '../../support/web-site'

const store = await catalogueStore()
beforeEach(() => store.handle.run('delete from source_hosts'))
afterAll(() => store.close())
const hour = 3_600_000
const start = Date.parse('2026-11-22T12:00:00Z')
const { signal } = new AbortController()

/** The maximum in any window of this length that begins at one of the times. */
const mostWithin = (times: readonly number[], windowMs: number) =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length))

/** When a server was contacted by that many stores of one database at once. */
async function askedBy(runs: number, each: number, pace: Pace): Promise<readonly number[]> {
  const clock = sharedClock(start, runs)
  const asked: number[] = []
  const site = createWebSite(() => {
    asked.push(clock.now())
    return new Response('here', { headers: { 'content-type': 'text/xml' } })
  })
  const run = async () => {
    const handle = openHandle(store.directory)
    handle.run('pragma synchronous = off')
    const { write, close } = openStore(store.directory, handle)
    const world = { now: clock.now, outside: { sleep: clock.sleep } }
    const { ask } = fetching({ store: { write }, base: site.at('127.0.0.1'), source: { pace }, ...world })
    for (let n = 0; n < each; n++) await ask('https://api.example/')
    clock.leave()
    await close()
  }
  await Promise.all(Array.from({ length: runs }, run))
  await site.stop()
  return asked
}

describe('eight runs at once, each with its own connection, keep the pace of one', () => {
  test('per second', async () => {
    const asked = await askedBy(8, 5, { perSecond: 4 })
    expect(asked).toHaveLength(40)
    expect(mostWithin(asked, 1000)).toBe(4)
    expect((asked.at(-1) ?? 0) - start).toBe(39 * 250)
  })

  test('per hour and day', async () => {
    const asked = await askedBy(8, 10, { perSecond: 1, perHour: 20, perDay: 60 })
    expect(asked).toHaveLength(80)
    expect(mostWithin(asked, 1000)).toBe(1)
    expect(mostWithin(asked, hour)).toBeLessThanOrEqual(20)
    expect(mostWithin(asked, 24 * hour)).toBeLessThanOrEqual(60)
    expect((asked.at(-1) ?? 0) - start).toBeLessThan(48 * hour)
  })
})

/** A clock that moves only during sleeps, and how long those were. */
function sleepy() {
  const state = { now: start, slept: 0 }
  const sleep = async (ms: number) => {
    state.now += ms
    state.slept += ms
  }
  return { state, tools: { write: store.write, now: () => state.now, outside: { sleep } } }
}

test('hosts do not wait for each other', async () => {
  const { state, tools } = sleepy()
  for (const host of ['a.example', 'b.example']) await waitForTurn(tools, host, { perSecond: 1 }, signal)
  expect(state.slept).toBe(0)
})

test('a source without an hourly rate does not give back what another one at its host has used', async () => {
  const { state, tools } = sleepy()
  const [strict, loose] = [{ perSecond: 1000, perHour: 4 }, { perSecond: 1000 }]
  for (const pace of [strict, loose, loose, strict]) await waitForTurn(tools, 'api.example', pace, signal)
  expect(state.slept).toBe(hour / 4)
})

describe('when the clock is set', () => {
  /** The sleep before one more request after `count`, with the clock set in between. */
  const sleptAfter = async (setBy: number, count: number, pace: Pace) => {
    const { state, tools } = sleepy()
    for (let n = 0; n < count; n++) await waitForTurn(tools, 'api.example', pace, signal)
    Object.assign(state, { now: state.now + setBy, slept: 0 })
    await waitForTurn(tools, 'api.example', pace, signal)
    return state.slept
  }
  const eighth = Math.ceil(hour / 7)

  test.each([
    ['not', 0, 1000, eighth - 1000],
    ['back by a year', -365 * 24 * hour, 1000, eighth],
    ['back by a minute', -60_000, 1000, eighth],
    ['ahead by half a second', 500, 500, eighth - 1500],
    ['ahead by a day', 24 * hour, 0, 0],
  ])('%s, the wait is not longer than the pace promises', async (_, setBy, ofSecond, ofHour) => {
    expect(await sleptAfter(setBy, 1, { perSecond: 1 })).toBe(ofSecond)
    store.handle.run('delete from source_hosts')
    expect(await sleptAfter(setBy, 2, { perSecond: 1, perHour: 8 })).toBe(ofHour)
  })
})

test('a bucket gives no more than its rate in any window, however it is used', () => {
  const rates = fc.record({
    max: fc.integer({ min: 1, max: 60 }),
    windowMs: fc.integer({ min: 100, max: 100_000 }),
  })
  const pauses = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3000 })), {
    minLength: 1,
    maxLength: 200,
  })
  fc.assert(
    fc.property(rates, pauses, (rate, ms) => {
      let [bucket, now] = [{ taken: 0, since: 0 }, 0]
      const taken = ms.map((pause) => {
        now += pause
        now += waitFor(refilled(bucket, rate, now), rate, now)
        const full = refilled(bucket, rate, now)
        expect(waitFor(full, rate, now)).toBe(0)
        bucket = { ...full, taken: full.taken + 1 }
        return now
      })
      expect(mostWithin(taken, rate.windowMs)).toBeLessThanOrEqual(rate.max)
    }),
  )
})
