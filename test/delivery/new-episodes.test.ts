import { afterAll, describe, expect, test } from 'bun:test'
import { at, hour, now } from '../support/calendar'
import { createTelling, day, user } from '../support/telling'

const { kiroku, handle, made, told, episodes, later, person, slot, settle } = await createTelling()
const { deps, clock } = kiroku
afterAll(kiroku.close)

describe('a new episode is told once per person and episode (D84)', () => {
  test('when its showing begins, not before, and never again', async () => {
    made.program(500, 1, now + hour)
    settle()
    await later(hour - 1)
    expect(told()).toEqual([])
    await later(1)
    const expected = { user_id: user, episode_id: 500_001, began_at: now + hour, created_at: clock.now }
    expect(told()).toEqual([{ ...expected, read_at: null }])
    for (let run = 0; run < 20; run++) await later(hour)
    expect(episodes()).toEqual([500_001])
  })

  test('to whom watches it; of what is wanted only the first; nobody else', async () => {
    for (const [n, kind] of ['wanna_watch', 'watched', 'on_hold', 'stop_watching'].entries()) {
      made.work(501 + n)
      made.episodes(501 + n, 3)
      made.status(user, 501 + n, kind)
      for (const k of [1, 2]) made.program(501 + n, k, now + k * hour)
    }
    await later(3 * hour)
    expect(episodes()).toEqual([501_001])
  })

  test('not if it is recorded in this lap or passed over, but if in the one before', async () => {
    for (const n of [1, 2, 3]) made.program(500, n, now + n * 60_000)
    made.record(user, 500, 1, now)
    handle.run('insert into skips (user_id, episode_id, lap, created_at) values (1, 500002, 1, 1)')
    await later(hour)
    expect(episodes()).toEqual([500_003])
    handle.run('delete from notifications')
    handle.run('insert into laps (user_id, work_id, number, started_at) values (1, 500, 2, 1)')
    handle.run("delete from instance where name = 'episodes_told_until'")
    await deps.write((tx) =>
      tx
        .insertInto('instance')
        .values({ name: 'episodes_told_until', value: String(now) })
        .execute(),
    )
    await later(0)
    expect(episodes()).toEqual([500_001, 500_002, 500_003])
    handle.run('delete from laps')
  })

  test('not of a rebroadcast, of a hidden programme, or on a channel that was not chosen', async () => {
    made.choose(user, 101)
    made.program(500, 1, now + hour, { again: 1 })
    made.program(500, 2, now + hour, { id: 9000 })
    handle.run('update programs set hidden = 1 where id = 9000')
    made.program(500, 3, now + hour, { channel: 102 })
    made.program(500, 4, now + hour)
    await later(2 * hour)
    expect(episodes()).toEqual([500_004])
  })

  test('people who chose other channels are told when theirs begins', async () => {
    const other = person(1000)
    made.choose(user, 101)
    made.choose(other, 102)
    made.program(500, 1, now + hour)
    made.program(500, 1, now + 2 * hour, { channel: 102 })
    await later(hour)
    await later(hour)
    expect(told().map(({ user_id, began_at }) => [user_id, (began_at - now) / hour])).toEqual([
      [user, 1],
      [other, 2],
    ])
  })

  test('not of a habit', async () => {
    for (const [k, n] of [3, 2, 1].entries()) made.record(user, 500, k + 1, now - n * 7 * day)
    for (let run = 0; run < 24; run++) await later(hour)
    expect(told()).toEqual([])
  })

  test('of a time of one’s own, each week, to its person alone', async () => {
    person(1000)
    slot()
    await later(59 * 60_000)
    expect(told()).toEqual([])
    await later(60_000)
    expect(told()).toMatchObject([{ user_id: user, episode_id: 500_001, began_at: at('2026-11-19T23:00') }])
    await later(7 * day - 1)
    expect(episodes()).toEqual([500_001])
    await later(1)
    expect(episodes()).toEqual([500_001, 500_002])
  })

  test('a time of one’s own that is set, moved or ended counts from then on, and is no change for calendars', async () => {
    slot()
    await later(hour)
    const changed = () =>
      handle
        .query<{ changed_at: number; next_at: number }, []>('select changed_at, next_at from own_slots')
        .get()
    expect(changed()).toEqual({ changed_at: 1, next_at: at('2026-11-26T23:00') })
    handle.run('update own_slots set minute = 22 * 60, changed_at = 2000')
    expect(changed()?.next_at).toBe(0)
    await later(7 * day - hour)
    expect(told()).toMatchObject([{ episode_id: 500_001 }, { began_at: at('2026-11-26T22:00') }])
    handle.run('update own_slots set ended_at = 1')
    await later(7 * day)
    expect(episodes()).toEqual([500_001, 500_002])
  })

  test('a time of one’s own waits a day for the list to get its episode', async () => {
    handle.run('delete from episodes where work_id = 500')
    slot()
    await later(hour)
    expect(told()).toEqual([])
    made.episodes(500, 1)
    await later(600_000)
    expect(told()).toMatchObject([{ episode_id: 500_001, began_at: at('2026-11-19T23:00') }])
  })
})
