import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { showingsOf } from '../../src/library/showings/showings'
import { createInstance, start } from '../support/instance'
import { createProgrammes, week } from '../support/showings'

const kiroku = await createInstance()
const { handle } = kiroku.store
const made = createProgrammes(handle)
const hour = 3_600_000
const day = 24 * hour
const user = 1
const work = 500
const [chosen, other] = [101, 102]
afterAll(kiroku.close)
handle.run("update external_ids set external_id = 'nowhere' where kind = 'channel' and ns = 'site'")
made.channel(chosen, '選んだ局')
made.channel(other, 'ほかの局')

beforeEach(() => {
  for (const table of ['programs', 'user_channels', 'own_slots', 'records', 'statuses', 'library_entries'])
    handle.run(`delete from ${table}`)
  handle.run('delete from episodes where work_id >= 500')
  handle.run('delete from works where id >= 500')
})

const shown = async (from: number, until: number, isOnAll = false) => {
  const { shown, elsewhere } = await showingsOf(kiroku.deps.read, {
    ...{ user, works: [work], now: start, from, until, isOnAll },
  })
  const told = shown.map(({ kind, at, episode, channel }) => [
    ...[kind, Math.round((at - start) / hour), episode?.number ?? null, channel?.id ?? null],
  ])
  return { told, elsewhere, shown }
}

const weeklyFrom = (begin: number) => ({ broadcast_begin: begin, broadcast_interval: 'P7D' })

/** Every Wednesday at 21:00 in Tokyo, from the start of the clock on. */
const slot = (columns: Readonly<Record<string, string | number>> = {}) => {
  const row = {
    ...{ user_id: user, work_id: work, weekday: 3, minute: 21 * 60, time_zone: 'Asia/Tokyo' },
    ...{ begins_on: '2026-04-01', first_episode: 1, changed_at: 1, ...columns },
  }
  const names = Object.keys(row)
  handle.run(`insert into own_slots (${names}) values (${names.map(() => '?')})`, Object.values(row))
}

describe('where a time comes from (D80)', () => {
  test('a listed time comes before one’s own, and that before the rule', async () => {
    made.work(work, weeklyFrom(start))
    made.episodes(work, 4)
    made.status(user, work)
    const all = () => shown(start, start + 4 * week)
    expect((await all()).told).toEqual([0, 1, 2, 3].map((k) => ['rule', 168 * k, String(k + 1), null]))
    slot({ first_episode: 2, minute: 22 * 60, begins_on: '2026-04-08' })
    expect((await all()).told).toEqual([
      ['rule', 0, '1', null],
      ['own', 169, '2', null],
      ['own', 337, '3', null],
      ['own', 505, '4', null],
    ])
    made.program(work, 3, start + 2 * week + 5 * hour)
    expect((await all()).told).toEqual([
      ['rule', 0, '1', null],
      ['own', 169, '2', null],
      ['listed', 341, '3', chosen],
      ['own', 505, '4', null],
    ])
  })

  test('a listed time replaces an estimate of the work within four days, whatever its channel', async () => {
    made.work(work)
    made.episodes(work, 3)
    made.program(work, 1, start, { estimated: 1 })
    made.program(work, 2, start + week, { estimated: 1 })
    made.program(work, null, start + 4 * day, { channel: other })
    const times = async () => (await shown(start, start + 2 * week)).told.map(([kind, at]) => [kind, at])
    expect(await times()).toEqual([['listed', 96]])
    handle.run('update programs set started_at = started_at + 3600000 where channel_id = ?', [other])
    expect(await times()).toEqual([
      ['rule', 0],
      ['listed', 97],
    ])
  })

  test('a listed episode has no estimate, however far away', async () => {
    made.work(work, weeklyFrom(start))
    made.episodes(work, 1)
    made.program(work, 1, start + 3 * week)
    expect((await shown(start, start + 4 * week)).told).toEqual([['listed', 504, '1', chosen]])
    expect((await shown(start, start + week)).told).toEqual([])
  })

  test('nothing goes past a list that is whole; one that may grow goes on for a season, without a number', async () => {
    made.work(work)
    made.episodes(work, 2)
    slot()
    expect((await shown(start, start + 30 * week)).told.map(([, , number]) => number)).toEqual(['1', '2'])
    handle.run('update episodes set estimated = 1 where work_id = ?', [work])
    const grown = (await shown(start, start + 30 * week)).told.map(([, , number]) => number)
    expect(grown).toEqual(['1', '2', ...Array.from({ length: 11 }, () => null)])
  })

  test('a list of fifty and more that may grow goes on for eight weeks from now', async () => {
    made.work(work, weeklyFrom(start - 50 * week))
    made.episodes(work, 51)
    const rule = () => shown(start, start + 20 * week)
    expect((await rule()).told).toEqual([['rule', 0, '51', null]])
    handle.run('update episodes set estimated = 1 where work_id = ? and sort_number = 510', [work])
    expect((await rule()).told.map(([, at, number]) => [at, number])).toEqual([
      [0, '51'],
      ...Array.from({ length: 8 }, (_, k) => [168 * (k + 1), null]),
    ])
    slot({ first_episode: 51 })
    expect((await rule()).told.filter(([kind]) => kind === 'own')).toHaveLength(9)
  })

  test('one’s own time keeps its hour over summer time, every one or two weeks, and later by the weeks left out', async () => {
    made.work(work)
    made.episodes(work, 6)
    slot({ time_zone: 'Europe/Berlin', weekday: 0, minute: 25 * 60 + 30, begins_on: '2026-03-22' })
    const clocks = async () =>
      (await shown(start - 3 * week, start + 12 * week)).shown.map(({ at }) =>
        new Date(at).toLocaleString('sv', { timeZone: 'Europe/Berlin' }),
      )
    const at = (...days: string[]) => days.map((one) => `2026-${one} 01:30:00`)
    expect(await clocks()).toEqual(at('03-23', '03-30', '04-06', '04-13', '04-20', '04-27'))
    handle.run(`update own_slots set skipped = '["2026-04-05","2026-04-12"]'`)
    expect(await clocks()).toEqual(at('03-23', '03-30', '04-20', '04-27', '05-04', '05-11'))
    handle.run(`update own_slots set every_weeks = 2, skipped = '["2026-04-05"]'`)
    expect(await clocks()).toEqual(at('03-23', '04-13', '04-27', '05-11', '05-25', '06-08'))
  })

  test('an ended time of one’s own, and one of a hidden work, are not shown', async () => {
    made.work(work)
    made.episodes(work, 2)
    slot()
    handle.run('update own_slots set ended_at = 5')
    expect((await shown(start, start + 4 * week)).told).toEqual([])
  })
})

describe('one showing an episode (D81)', () => {
  beforeEach(() => {
    made.work(work)
    made.episodes(work, 3)
  })

  test('is the first that is no rebroadcast, on the chosen channels', async () => {
    made.program(work, 1, start - 2 * hour, { again: 1 })
    made.program(work, 1, start + 2 * hour)
    made.program(work, 1, start, { channel: other })
    const first = async () => (await shown(start - day, start + day)).told
    expect(await first()).toEqual([['listed', 0, '1', other]])
    made.choose(user, chosen)
    expect(await first()).toEqual([['listed', 2, '1', chosen]])
  })

  test('is not another one when its first is before the span', async () => {
    made.program(work, 1, start)
    made.program(work, 1, start + 3 * day, { channel: other })
    expect((await shown(start + day, start + week)).told).toEqual([])
  })

  test('elsewhere only: is named, and shown on all channels, with rebroadcasts', async () => {
    made.choose(user, chosen)
    made.program(work, 1, start, { channel: other })
    made.program(work, 1, start + hour, { channel: other, again: 1 })
    expect(await shown(start, start + day)).toMatchObject({ told: [], elsewhere: [work] })
    const { shown: all, elsewhere } = await shown(start, start + day, true)
    expect(all.map(({ isRebroadcast }) => isRebroadcast)).toEqual([false, true])
    expect(elsewhere).toEqual([])
  })

  test('a station nobody knows counts as chosen, and so does a time of one’s own', async () => {
    made.choose(user, chosen)
    handle.run(
      "insert into external_ids (kind, ns, external_id, local_id) values ('channel', 'site', 'broadcast', ?)",
      [other],
    )
    made.program(work, 1, start, { channel: other, estimated: 1 })
    slot({ first_episode: 2, begins_on: '2026-04-08', channel_id: other })
    expect((await shown(start, start + 2 * week)).told).toEqual([
      ['rule', 0, '1', other],
      ['own', 168, '2', other],
    ])
    handle.run("delete from external_ids where ns = 'site' and external_id = 'broadcast'")
  })

  test('a list on another channel leaves one’s own time', async () => {
    made.choose(user, chosen)
    slot()
    made.program(work, 1, start + hour, { channel: other })
    expect((await shown(start, start + day)).told).toEqual([['own', 0, '1', null]])
  })

  test('hidden programmes, episodes and channels are not shown', async () => {
    made.program(work, 1, start)
    handle.run('update programs set hidden = 1')
    expect((await shown(start, start + day)).told).toEqual([])
    handle.run('update programs set hidden = 0')
    handle.run('update channels set hidden = 1 where id = ?', [chosen])
    expect((await shown(start, start + day)).told).toEqual([])
    handle.run('update channels set hidden = 0 where id = ?', [chosen])
    handle.run('update episodes set hidden = 1 where id = ?', [work * 1000 + 1])
    expect((await shown(start, start + day)).told).toEqual([])
  })
})

test('the first and, of a complete list, the last episode are marked, and those recorded in this lap', async () => {
  made.work(work, { episodes_estimate: 3 })
  made.episodes(work, 3)
  for (const n of [1, 2, 3]) made.program(work, n, start + n * day)
  made.record(user, work, 1, start)
  const marks = async () =>
    (await shown(start, start + week)).shown.map(({ isFirst, isLast, isRecorded }) => [
      isFirst,
      isLast,
      isRecorded,
    ])
  expect(await marks()).toEqual([
    [true, false, true],
    [false, false, false],
    [false, true, false],
  ])
  handle.run('update works set episodes_estimate = 4 where id = ?', [work])
  handle.run('insert into laps (user_id, work_id, number, started_at) values (?, ?, 2, 1)', [user, work])
  expect(await marks()).toEqual([
    [true, false, false],
    [false, false, false],
    [false, false, false],
  ])
  handle.run('delete from laps')
})
