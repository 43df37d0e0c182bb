import { afterAll, describe, expect, test } from 'bun:test'
import { sweepNewEpisodes, tellNewEpisodes } from '../../src/delivery/new-episodes'
import { hour, now } from '../support/calendar'
import type { Body } from '../support/instance'
import { createTelling, day, user } from '../support/telling'

const { kiroku, handle, made, told, episodes, later, mark, killedAfter, person, slot, settle } =
  await createTelling()
const { deps, clock } = kiroku
afterAll(kiroku.close)

describe('nobody is told twice, and nobody is left out (D84)', () => {
  test('after the server was down for some hours; what began more than a day ago is not told', async () => {
    made.program(500, 1, now + hour)
    made.program(500, 2, now + 5 * hour)
    settle()
    await later(28 * hour)
    expect(episodes()).toEqual([500_002])
  })

  test('an instance that never told begins with what comes', async () => {
    handle.run("delete from instance where name = 'episodes_told_until'")
    made.program(500, 1, now - hour)
    settle()
    await later(0)
    await later(60_000)
    expect(told()).toEqual([])
    expect(mark()).toEqual({ value: String(now) })
  })

  test('a showing that moves is told once; moved to what has begun, it is told then', async () => {
    made.program(500, 1, now + hour, { id: 9000 })
    made.program(500, 2, now + 40 * hour, { id: 9001 })
    settle()
    await later(hour)
    handle.run('update programs set started_at = ? where id = 9000', [now + 3 * hour])
    await later(2 * hour)
    expect(episodes()).toEqual([500_001])
    handle.run('update programs set started_at = ? where id = 9001', [now + 2 * hour])
    handle.run('update programs set changed_at = ? where id = 9001', [clock.now])
    await later(10_000)
    expect(told()).toMatchObject([{ episode_id: 500_001 }, { episode_id: 500_002, began_at: now + 2 * hour }])
  })

  test('a clock that was ahead and is set back neither repeats nor stops anything', async () => {
    slot()
    made.program(500, 5, now + 400 * day)
    settle()
    await later(hour)
    await later(400 * day - hour)
    expect(episodes()).toContain(500_005)
    const before = episodes()
    clock.now = now + 2 * hour
    await later(0)
    made.program(500, 6, now + 3 * hour)
    settle()
    await later(hour)
    expect(episodes()).toEqual([...before, 500_006])
    await later(7 * day)
    expect(episodes()).toEqual([...before, 500_006, 500_002])
  })

  test('killed between any two pieces, the next start tells the rest once', async () => {
    const people = Array.from({ length: 450 }, (_, n) => person(1000 + n))
    made.program(500, 1, now + hour)
    settle()
    clock.now += hour
    // The last piece is the mark.
    for (const [writes, count] of [0, 200, 451].entries()) {
      await expect(tellNewEpisodes(killedAfter(writes))).rejects.toThrow('killed')
      expect(told()).toHaveLength(count)
      expect(mark()).toEqual({ value: String(now) })
    }
    await tellNewEpisodes(deps)
    expect(told().map(({ user_id }) => user_id)).toEqual([user, ...people])
    expect(mark()).toEqual({ value: String(clock.now) })
  })
})

describe('a record of the episode reads what told of it (D84)', () => {
  const write = async (method: string, path: string, expected: number) => {
    const response = await kiroku.get(path, { method })
    expect([path, response.status]).toEqual([path, expected])
    return response
  }
  const unread = async () => {
    const { user: _, ...me } = await kiroku.json('/v1/me')
    return [me.notifications_count, told().map(({ read_at }) => read_at)]
  }

  test('by the API, and by deleting the record it is unread again', async () => {
    made.program(500, 1, now + hour)
    await later(hour)
    expect(await unread()).toEqual([1, [null]])
    clock.now += hour
    const { id }: Body = await (await write('POST', '/v1/me/records?episode_id=500001', 200)).json()
    expect(await unread()).toEqual([0, [clock.now]])
    await write('DELETE', `/v1/me/records/${id}`, 204)
    expect(await unread()).toEqual([1, [null]])
  })

  test('one that was read by its person stays read when the record is deleted', async () => {
    made.program(500, 1, now + hour)
    await later(hour)
    await write('POST', '/v1/me/notifications/read', 204)
    const { id }: Body = await (await write('POST', '/v1/me/records?episode_id=500001', 200)).json()
    await write('DELETE', `/v1/me/records/${id}`, 204)
    expect(await unread()).toEqual([0, [clock.now]])
  })

  test('the API lists it with work and episode and without a user, until the episode is hidden (D118)', async () => {
    made.program(500, 1, now + hour)
    await later(hour)
    const list = async () => (await kiroku.json('/v1/me/notifications')).notifications
    expect(await list()).toMatchObject([
      {
        action: 'episode',
        user: null,
        comment: null,
        work: { id: 500 },
        episode: { id: 500_001 },
        is_read: false,
      },
    ])
    handle.run('update episodes set hidden = 1 where id = 500001')
    expect(await list()).toEqual([])
  })
})

test('what was read goes after 60 days, what is unread stays (D84)', async () => {
  made.program(500, 1, now + hour)
  made.program(500, 2, now + hour)
  await later(hour)
  const began = clock.now
  handle.run('update notifications set read_at = ? where episode_id = 500001', [began])
  clock.now = began + 60 * day
  await sweepNewEpisodes(deps)
  expect(episodes()).toEqual([500_001, 500_002])
  clock.now += 1
  await sweepNewEpisodes(deps)
  expect(episodes()).toEqual([500_002])
  await later(0)
  expect(episodes()).toEqual([500_002])
})

test('more than one piece of what was read goes at once', async () => {
  for (let n = 0; n < 450; n++) person(1000 + n)
  made.program(500, 1, now + hour)
  await later(hour)
  handle.run('update notifications set read_at = 1')
  await sweepNewEpisodes(deps)
  expect(told()).toEqual([])
})
