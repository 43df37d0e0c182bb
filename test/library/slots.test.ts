import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { endOwnSlot, setOwnSlot, shiftOwnSlot } from '../../src/library/acts/slot-acts'
import { undo } from '../../src/library/acts/undo'
import { rowsOf } from '../support/counted'
import { createInstance } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'
import { createProgrammes } from '../support/showings'

const kiroku = await createInstance({ seed: seedLibrary })
const { handle } = kiroku.store
const [mio, azusa] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'azusa')]
const made = createProgrammes(handle)
const work = 500
afterAll(kiroku.close)
made.work(work)
made.episodes(work, 12)
made.channel(101, '選んだ局')

beforeEach(() => {
  for (const table of ['own_slots', 'acts', 'records']) handle.run(`delete from ${table}`)
})

const path = '/v1/me/slots'
const set = (more: object = {}) =>
  mio.done('POST', path, { work_id: work, weekday: 5, time: '25:30', ...more })
const slots = async () => (await mio.json(path)).slots

describe('POST /v1/me/slots (D80)', () => {
  test.each([
    [{ weekday: 7 }, 'weekday must be a whole number from 0 to 6.'],
    [{ weekday: '' }, 'weekday is required.'],
    [
      { time: '30:00' },
      'time must be a time such as 23:00, or up to 29:59 for the night after, such as 25:30.',
    ],
    [
      { time: '23:60' },
      'time must be a time such as 23:00, or up to 29:59 for the night after, such as 25:30.',
    ],
    [{ time_zone: 'Asia/Edo' }, 'time_zone must be the IANA name of a time zone, such as Asia/Tokyo.'],
    [{ first_episode: 0 }, 'first_episode must be an integer from 1 to 2000.'],
    [{ begins_on: '2026-02-30' }, 'begins_on must be an existing day, YYYY-MM-DD.'],
    [{ begins_on: '2027-06-01' }, 'begins_on must be at most 400 days from today.'],
    [{ every_weeks: 3 }, 'every_weeks must be an integer from 1 to 2.'],
    [{ work_id: 3 }, 'work_id must be the id of a work with episodes.'],
  ])('refuses %j', async (more, message) => {
    const sent = { work_id: work, weekday: 5, time: '25:30', ...more }
    expect(await mio.refused('invalid_params', 'POST', path, sent)).toEqual([message])
    expect(rowsOf(handle, 'own_slots')).toEqual([])
  })

  test('refuses a work or channel that is not there, or hidden', async () => {
    for (const more of [{ work_id: 99_999 }, { work_id: 9 }, { channel_id: 99_999 }])
      expect(
        (await mio.send('POST', path, { work_id: work, weekday: 5, time: '25:30', ...more })).status,
      ).toBe(404)
  })

  // The clock is at 2026-04-01 21:00 in Tokyo, a Wednesday.
  test('begins on the next such day with the next unseen episode, by default weekly in Tokyo', async () => {
    made.record(1, work, 1, 1)
    const slot = await set()
    expect(slot).toEqual({
      ...{ id: work, weekday: 5, time: '25:30', time_zone: 'Asia/Tokyo', every_weeks: 1 },
      ...{ begins_on: '2026-04-03', first_episode: 2, skipped: [], channel: null },
      changed_at: '2026-04-01T12:00:00.000Z',
    })
    expect(await slots()).toEqual([slot])
    expect((await azusa.json(path)).slots).toEqual([])
  })

  test('takes what is sent, and replaces the one that the work had', async () => {
    await set()
    const sent = { weekday: 0, time: '9:05', time_zone: 'Europe/Berlin', first_episode: 5, every_weeks: 2 }
    const slot = await set({ ...sent, begins_on: '2026-04-13', channel_id: 101 })
    expect(slot).toMatchObject({
      ...sent,
      ...{ begins_on: '2026-04-19', channel: { id: 101, name: '選んだ局' } },
      changed_at: '2026-04-01T12:00:01.000Z',
    })
    expect(await slots()).toEqual([slot])
    expect(rowsOf(handle, 'own_slots')).toHaveLength(1)
  })

  test('the same again changes nothing', async () => {
    await set()
    const before = rowsOf(handle, 'own_slots')
    kiroku.clock.now += 60_000
    await set({ begins_on: '2026-04-03', first_episode: 1 })
    kiroku.clock.now -= 60_000
    expect(rowsOf(handle, 'own_slots')).toEqual(before)
  })

  test('at most 300 works have a time of one’s own', async () => {
    for (let id = 2000; id < 2300; id++) {
      made.work(id)
      handle.run(
        `insert into own_slots (user_id, work_id, weekday, minute, time_zone, begins_on, first_episode, changed_at)
         values (1, ?, 5, 0, 'UTC', '2026-04-03', 1, 1)`,
        [id],
      )
    }
    expect((await mio.send('POST', path, { work_id: work, weekday: 5, time: '23:00' })).status).toBe(400)
    const page = await mio.json(`${path}?page=6&per_page=50&fields=id`)
    expect(page).toMatchObject({ total_count: 300, next_page: null, prev_page: 5 })
    expect(page.slots[49]).toEqual({ id: 2299 })
    handle.run('update own_slots set ended_at = 1')
    await set()
  })
})

test('DELETE /v1/me/slots/:id ends it: once, and one’s own only', async () => {
  await set()
  expect((await azusa.send('DELETE', `${path}/${work}`)).status).toBe(404)
  expect((await mio.send('DELETE', `${path}/${work}`)).status).toBe(204)
  expect((await mio.send('DELETE', `${path}/${work}`)).status).toBe(404)
  expect(await slots()).toEqual([])
  expect(rowsOf(handle, 'own_slots')).toMatchObject([{ ended_at: kiroku.clock.now }])
})

describe('acts of kind slot (D80)', () => {
  const choice = { workId: work, weekday: 5, minute: 1530 }
  const { deps } = kiroku
  const content = () => rowsOf(handle, 'own_slots').map(({ changed_at, ...row }) => row)

  test('set, shift and end are undone one after the other, and each change is newer than the one before', async () => {
    const changes: number[] = []
    const times = () => changes.push(Number(rowsOf(handle, 'own_slots')[0]?.changed_at))
    const acts = []
    const states = []
    for (const act of [setOwnSlot, shiftOwnSlot, shiftOwnSlot, endOwnSlot]) {
      states.push(content())
      acts.push(await act(deps, 1, choice))
      times()
    }
    expect(acts.map(({ kind }) => kind)).toEqual(['slot', 'slot', 'slot', 'slot'])
    expect(content()[0]).toMatchObject({ skipped: '["2026-04-03","2026-04-10"]', ended_at: deps.now() })
    for (const { id } of acts.reverse()) {
      await undo(deps, 1, { actId: id })
      expect(content()).toEqual(states.pop() ?? [])
      if (content().length > 0) times()
    }
    expect(changes).toHaveLength(7)
    expect(changes.every((at, n) => n === 0 || at >= (changes[n - 1] ?? 0) + 1000)).toBe(true)
  })

  test('the channel comes back with an undo, too', async () => {
    await setOwnSlot(deps, 1, { ...choice, channelId: 101 })
    const act = await setOwnSlot(deps, 1, { ...choice, minute: 60 })
    await undo(deps, 1, { actId: act.id })
    expect(content()[0]).toMatchObject({ channel_id: 101, minute: 1530 })
  })

  test('a hundred weeks at most are left out', async () => {
    await setOwnSlot(deps, 1, choice)
    for (let n = 0; n < 100; n++) await shiftOwnSlot(deps, 1, choice)
    await expect(shiftOwnSlot(deps, 1, choice)).rejects.toThrow()
    expect(JSON.parse(String(content()[0]?.skipped))).toHaveLength(100)
  })

  test('without a time, there is nothing to shift or to end', async () => {
    await expect(shiftOwnSlot(deps, 1, choice)).rejects.toThrow('change nothing')
    await expect(endOwnSlot(deps, 1, choice)).rejects.toThrow('change nothing')
  })
})
