import { describe, expect, spyOn, test } from 'bun:test'
import { ownTurn, pauseIfLong, pieceOfWork } from '../../src/lib/turns'
import { post } from '../graphql/support'
import { createInstance } from '../support/instance'
import { createMember, createVisitor } from '../support/visitor'

/** Each look at this thread's CPU time finds 50 ms more: every piece of long work takes that. */
async function withSlowWork(run: () => Promise<void>): Promise<void> {
  let user = 0
  const clock = spyOn(process, 'threadCpuUsage').mockImplementation(() => {
    user += 50_000
    return { user, system: 0 }
  })
  await run().finally(() => clock.mockRestore())
}

describe('a request is counted by what it costs (D53):', () => {
  test('searches by a stranger, who may then open no other page either', async () => {
    const kiroku = await createInstance({ config: { rateLimit: 600 } })
    const stranger = createVisitor(kiroku)
    await withSlowWork(async () => {
      let searches = 0
      while ((await stranger.open('/search?q=nothing')).status === 200) searches += 1
      expect(searches).toBeWithin(1, 30)
    })
    expect((await stranger.open('/about')).status).toBe(429)
    expect((await createVisitor(kiroku, { peer: '192.0.2.9' }).open('/about')).status).toBe(200)
    const member = await createMember(kiroku, 'mio')
    expect((await member.open('/search?q=nothing')).status).toBe(200)
    kiroku.clock.now += 60_000
    expect((await stranger.open('/search?q=nothing')).status).toBe(200)
    await kiroku.close()
  })

  test('searches and GraphQL queries by a token', async () => {
    const kiroku = await createInstance({ config: { rateLimit: 1200 } })
    const left = async () => {
      const { headers } = await kiroku.get('/v1/series')
      return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    }
    expect(await left()).toBe(1199)
    await withSlowWork(async () => {
      expect((await kiroku.get('/v1/works?filter_query=nothing')).status).toBe(200)
    })
    const afterSearch = await left()
    expect(afterSearch).toBeLessThan(1199 - 2 - 5)
    await withSlowWork(async () => {
      const query = '{ searchWorks(first: 1) { nodes { title } } }'
      expect((await post(kiroku, { query }, kiroku.token)).status).toBe(200)
    })
    expect(await left()).toBeLessThan(afterSearch - 2 - 4)
    await kiroku.close()
  })
})

describe('long work', () => {
  /** Every look at the clock finds 10 ms more, so a turn is long after two. */
  const withSlowClock = async (run: () => Promise<void>) => {
    let now = performance.now()
    const clock = spyOn(performance, 'now').mockImplementation(() => {
      now += 10
      return now
    })
    await run().finally(() => clock.mockRestore())
  }

  test('of several requests pauses between its pieces, and other requests are answered', async () => {
    const order: string[] = []
    await withSlowClock(async () => {
      const pieces = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
        pieceOfWork(async () => void order.push(name)),
      )
      const other = () => {
        order.push('other')
        if (!order.includes('f')) setImmediate(other)
      }
      setImmediate(other)
      await Promise.all(pieces)
    })
    expect(order.filter((name) => name !== 'other')).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    expect(
      order.slice(order.indexOf('a'), order.indexOf('f')).filter((name) => name === 'other').length,
    ).toBeGreaterThan(1)
  })

  test('runs one piece at a time, and a failed one keeps none waiting', async () => {
    const running = new Set<string>()
    const most: number[] = []
    const piece = (name: string) =>
      pieceOfWork(async () => {
        running.add(name)
        most.push(running.size)
        await ownTurn()
        running.delete(name)
        if (name === 'b') throw new Error('b failed')
        return name
      })
    const results = await Promise.allSettled(['a', 'b', 'c'].map(piece))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(most).toEqual([1, 1, 1])
  })

  test('pauses only if the turn is long', async () => {
    await ownTurn()
    await new Promise((resolve) => setImmediate(resolve))
    const clock = spyOn(performance, 'now').mockReturnValue(performance.now())
    expect([pauseIfLong(), pauseIfLong()]).toEqual([undefined, undefined])
    clock.mockReturnValue(performance.now() + 15)
    const pause = pauseIfLong()
    clock.mockRestore()
    expect(pause).toBeInstanceOf(Promise)
    await pause
  })
})
