import { afterAll, describe, expect, test } from 'bun:test'
import { dropStale, sweepOutgoing } from '../../src/delivery/queue'
import { createNews } from '../support/news'

const { kiroku, handle, receiver, later, add, told, queue, close } = await createNews()
const { deps, clock } = kiroku
const { received, state } = receiver
afterAll(close)

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const webhook = (events = 'notification') => add({ kind: 'webhook', url: receiver.url, events })
const states = () => queue().map((message) => message.state)
const bodies = () => received.map(({ body }) => JSON.parse(body))

describe('news are sent elsewhere from a table, and no request waits for it (D85)', () => {
  test('collected for 20 seconds, then one message an hour; later news join the one that waits', async () => {
    await webhook()
    told(2)
    await later(0)
    await later(10 * second)
    expect(received).toEqual([])
    await later(10 * second)
    expect(bodies().map(({ data }) => data.items.length)).toEqual([2])
    told()
    await later(10 * second)
    told()
    await later(hour - 11 * second)
    expect(received).toHaveLength(1)
    await later(1 * second)
    expect(bodies().map(({ data }) => data.items.length)).toEqual([2, 2])
    expect(states()).toEqual(['sent', 'sent'])
  })

  test('a message holds 20, and says how many more there are', async () => {
    await webhook()
    told(25)
    await later(0)
    await later(20 * second)
    const [{ data }] = bodies()
    expect([data.items.length, data.more]).toEqual([20, 5])
  })

  test('a part of the notifications, if that is what one asked for', async () => {
    for (const events of ['comment,follow', 'episode,like', 'meeting']) await webhook(events)
    told(2)
    handle.run(`insert into notifications (user_id, actor_id, kind, created_at) values
      (1, 2, 'meeting', ${clock.now}), (1, 2, 'follow_accepted', ${clock.now}), (1, null, 'destination_off', ${clock.now})`)
    await later(0)
    expect(
      queue()
        .map(({ n }) => n)
        .toSorted(),
    ).toEqual([1, 1, 2])
  })

  test('what happened before a destination was made is no news to it', async () => {
    told()
    await webhook()
    await later(hour)
    expect(queue()).toEqual([])
    handle.run('update destinations set is_on = 0')
    told()
    await webhook()
    await later(hour)
    expect(queue()).toEqual([])
  })

  test('quiet time: what falls into it goes out together at its end, by the zone of its person', async () => {
    handle.run("update users set quiet_from = 1380, quiet_to = 480, time_zone = 'Asia/Tokyo' where id = 1")
    await webhook()
    // 23:30 in Tokyo.
    clock.now = Date.UTC(2026, 3, 2, 14, 30)
    told()
    await later(0)
    await later(4 * hour)
    told()
    await later(0)
    await later(4 * hour + 30 * minute - 1)
    expect(received).toEqual([])
    await later(1)
    expect(bodies().map(({ data }) => data.items.length)).toEqual([2])
  })

  test('a process that ends after sending, before noting it, sends it again under the same id', async () => {
    await webhook()
    told()
    await later(0)
    clock.now += 20 * second
    handle.run('update outgoing set tries = 1')
    told()
    await later(0)
    expect(received.map(({ headers }) => headers.get('webhook-id'))).toEqual([`msg_${queue()[0]?.id}`])
    // What came meanwhile did not join it.
    expect(queue().map(({ state, n }) => [state, n])).toEqual([
      ['sent', 1],
      ['waiting', 1],
    ])
  })

  test('nothing is queued twice: the mark moves in the same commit', async () => {
    await webhook()
    told(3)
    await later(0)
    await later(0)
    expect(queue().map(({ n }) => n)).toEqual([3])
  })
})

describe('what does not arrive is tried again', () => {
  const failing = async (status: number, headers: Record<string, string> = {}) => {
    await webhook()
    told()
    await later(0)
    state.answer = () => new Response('no', { status, headers })
    await later(20 * second)
  }

  test.each([500, 503, 408, 425, 429])(
    '%d: after 30 s, 2 and 10 min, 1, 6 and 12 h, ± 20 %',
    async (status) => {
      await failing(status)
      for (const pause of [30 * second, 2 * minute, 10 * minute, hour, 6 * hour, 12 * hour]) {
        const [{ next_at, state: waits } = { next_at: 0, state: '' }] = queue()
        expect([waits, Math.abs((next_at - clock.now) / pause - 1) <= 0.201]).toEqual(['waiting', true])
        await later(next_at - clock.now)
      }
      expect(queue()).toMatchObject([{ state: 'failed', tries: 7 }])
      expect(received).toHaveLength(7)
    },
  )

  test.each([301, 307, 400, 401, 404, 410])(
    '%d fails at once; a redirect is not followed',
    async (status) => {
      await failing(status, { location: `${receiver.url}/elsewhere` })
      expect([states(), received.length]).toEqual([['failed'], 1])
    },
  )

  test('Retry-After is obeyed, in seconds or as a date, up to a day', async () => {
    await failing(429, { 'retry-after': '7200' })
    expect((queue()[0]?.next_at ?? 0) - clock.now).toBe(2 * hour)
    state.answer = () =>
      new Response('', {
        status: 503,
        headers: { 'retry-after': new Date(clock.now + 9 * hour).toUTCString() },
      })
    await later(2 * hour)
    expect((queue()[0]?.next_at ?? 0) - clock.now).toBe(9 * hour)
    state.answer = () => new Response('', { status: 503, headers: { 'retry-after': '999999999' } })
    await later(9 * hour)
    expect((queue()[0]?.next_at ?? 0) - clock.now).toBe(day)
  })

  test('after ten failures in a row the destination is off, and its owner is told', async () => {
    await webhook('notification')
    state.answer = () => new Response('', { status: 404 })
    for (let n = 0; n < 10; n++) {
      told()
      await later(0)
      await later(20 * second)
    }
    told()
    await later(0)
    expect(states()).toEqual(Array(10).fill('failed'))
    const { destinations } = await kiroku.json('/v1/me/destinations')
    expect(destinations).toMatchObject([{ is_on: false, last_ok_at: null }])
    const { notifications } = await kiroku.json('/v1/me/notifications')
    expect(notifications.at(-2)).toMatchObject({ action: 'destination_off', user: null })
  })

  test('one that arrives begins the count again', async () => {
    await failing(404)
    state.answer = () => new Response('')
    told()
    await later(0)
    await later(20 * second)
    expect(handle.query('select failures, is_on from destinations').get()).toEqual({ failures: 0, is_on: 1 })
  })
})

describe('the queue is bounded', () => {
  const fill = (count: number, destination: number, user = 1) => {
    const row = handle.query(
      `insert into outgoing (user_id, destination_id, kind, items, tries, next_at, created_at)
       values (?, ?, 'record', '[]', 1, ?, ?)`,
    )
    handle.transaction(() => {
      for (let n = 0; n < count; n++) row.run(user, destination, clock.now + day, clock.now)
    })()
  }
  const waiting = () => states().filter((one) => one === 'waiting').length

  test('200 wait for a person, 10,000 in all: the oldest drop', async () => {
    const { id } = await webhook()
    fill(200, id)
    told()
    await later(0)
    expect([waiting(), queue()[0]]).toMatchObject([200, { state: 'dropped', why: 'too many' }])
    handle.run('delete from outgoing')
    handle.run(
      "insert into destinations (user_id, kind, url, host, events, created_at) values (2, 'ntfy', '', '', '', 1)",
    )
    fill(10_000, 1 + id, 2)
    handle.run('update outgoing set user_id = 2 + id % 3')
    told()
    await later(0)
    expect(queue().filter(({ state: one }) => one === 'dropped').length).toBeGreaterThan(0)
    expect(waiting()).toBeLessThanOrEqual(10_000)
  })

  test('what waited for more than a day at a start is dropped', async () => {
    const { id } = await webhook()
    fill(1, id)
    clock.now += day
    await dropStale(deps)
    expect(states()).toEqual(['waiting'])
    clock.now += 1
    await dropStale(deps)
    expect(queue()).toMatchObject([{ state: 'dropped', why: 'too old' }])
  })

  test('what ended is forgotten after 14 days', async () => {
    await webhook()
    told()
    await later(0)
    await later(20 * second)
    clock.now += 14 * day
    await sweepOutgoing(deps)
    expect(states()).toEqual(['sent'])
    clock.now += 1
    await sweepOutgoing(deps)
    expect(states()).toEqual([])
  })

  test('a clock that is set back does not hold a message for long', async () => {
    await webhook()
    clock.now += 400 * day
    told()
    await later(0)
    clock.now -= 399 * day
    await later(20 * second)
    expect(states()).toEqual(['sent'])
  })
})
