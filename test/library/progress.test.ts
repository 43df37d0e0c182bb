import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { progressOf } from '../../src/library/progress/progress'
import { createInstance } from '../support/instance'

const kiroku = await createInstance()
const { deps } = kiroku
const { handle } = kiroku.store
const mio = 1
const now = Date.UTC(2026, 10, 22, 12)
const day = 86_400_000
afterAll(kiroku.close)

/** The episodes of work 1 in order. */
const episodes = [4, 2, 3, 1]

handle.run("insert into channel_groups (id, name, source_id) values (1, '地上波', 1)")
handle.run(
  "insert into channels (id, channel_group_id, name, source_id) values (1, 1, 'テレ東', 1), (2, 1, 'BS11', 1)",
)

beforeEach(() => {
  for (const table of ['records', 'skips', 'laps', 'programs', 'user_channels'])
    handle.run(`delete from ${table}`)
  handle.run("update works set broadcast_begin = null, broadcast_interval = '' where id = 1")
})

const progress = async (workId = 1) =>
  (await progressOf(deps.read, { userId: mio, workIds: [workId], now })).get(workId)

const record = (episode: number, lap = 1, user = mio) =>
  handle.run(
    'insert into records (user_id, work_id, episode_id, lap, watched_at, created_at) values (?, 1, ?, ?, 1, 1)',
    [user, episode, lap],
  )

const skip = (episode: number, lap = 1) =>
  handle.run('insert into skips (user_id, episode_id, lap, created_at) values (?, ?, ?, 1)', [
    mio,
    episode,
    lap,
  ])

const startLap = (number: number) =>
  handle.run('insert into laps (user_id, work_id, number, started_at) values (?, 1, ?, 1)', [mio, number])

const program = (channel: number, episode: number, at: number, rebroadcast = 0) =>
  handle.run(
    'insert into programs (channel_id, work_id, episode_id, started_at, is_rebroadcast, source_id) values (?, 1, ?, ?, ?, 1)',
    [channel, episode, at, rebroadcast],
  )

test('the next episode is the first that is neither recorded nor skipped in the current lap (D63)', async () => {
  const marks = fc.record({
    lap: fc.integer({ min: 1, max: 3 }),
    records: fc.array(
      fc.record({ episode: fc.constantFrom(...episodes), lap: fc.integer({ min: 1, max: 3 }) }),
      { maxLength: 8 },
    ),
    skips: fc.uniqueArray(
      fc.record({ episode: fc.constantFrom(...episodes), lap: fc.integer({ min: 1, max: 3 }) }),
      {
        maxLength: 5,
        selector: ({ episode, lap }) => `${episode} ${lap}`,
      },
    ),
  })
  await fc.assert(
    fc.asyncProperty(marks, async ({ lap, records, skips }) => {
      for (const table of ['records', 'skips', 'laps']) handle.run(`delete from ${table}`)
      for (let number = 2; number <= lap; number++) startLap(number)
      for (const one of records) record(one.episode, one.lap)
      for (const one of skips) skip(one.episode, one.lap)
      record(episodes[0] ?? 0, lap, 2)
      const inLap = (marked: readonly { episode: number; lap: number }[]) =>
        new Set(marked.filter((one) => one.lap === lap).map(({ episode }) => episode))
      const [watched, skipped] = [inLap(records), inLap(skips)]
      const next = episodes.find((id) => !watched.has(id) && !skipped.has(id))
      expect(await progress()).toMatchObject({ lap, watched: watched.size })
      expect((await progress())?.next?.id).toBe(next)
    }),
    { numRuns: 200 },
  )
})

test('hidden and unknown works have none', async () => {
  const all = await progressOf(deps.read, { userId: mio, workIds: [1, 2, 999], now })
  expect([...all.keys()].sort()).toEqual([1, 2])
})

describe('when the next episode is broadcast', () => {
  test('is the first program on any channel, before its rebroadcasts', async () => {
    program(2, 4, now - 3 * day, 1)
    program(1, 4, now + day)
    expect((await progress())?.next).toMatchObject({
      airing: { at: now + day, isEstimated: false },
      hasAired: false,
    })
    expect((await progress())?.behind).toBe(0)
  })

  test('is on the chosen channels, if any is chosen (D39)', async () => {
    program(1, 4, now - 2 * day)
    program(2, 4, now - day)
    handle.run('insert into user_channels (user_id, channel_id) values (?, 2)', [mio])
    expect((await progress())?.next?.airing?.at).toBe(now - day)
  })

  test('is calculated from the first broadcast and the interval without programs, and so is how many wait', async () => {
    handle.run(
      "update works set released_on = '', broadcast_begin = ?, broadcast_interval = 'P7D' where id = 1",
      [now - 8 * day],
    )
    expect(await progress()).toMatchObject({
      next: { id: 4, airing: { at: now - 8 * day, isEstimated: true }, hasAired: true },
      behind: 2,
    })
    record(4)
    record(2)
    expect(await progress()).toMatchObject({
      next: { id: 3, airing: { at: now + 6 * day }, hasAired: false },
      behind: 0,
    })
  })

  test('is listed for later ones too, and says how many wait', async () => {
    program(1, 4, now - 8 * day)
    program(1, 2, now - day)
    program(2, 2, now + day)
    program(1, 3, now + 6 * day)
    expect(await progress()).toMatchObject({ next: { id: 4, hasAired: true }, behind: 2 })
    record(4)
    record(2)
    expect(await progress()).toMatchObject({ next: { id: 3, hasAired: false }, behind: 0 })
  })

  test('of a future season without dates is not before the season', async () => {
    handle.run("update works set season_year = 2027, season = 'winter' where id = 1")
    expect((await progress())?.next).toMatchObject({ airing: undefined, hasAired: false })
    handle.run("update works set season_year = 2021, season = 'spring' where id = 1")
    expect(await progress()).toMatchObject({ next: { hasAired: true }, behind: 4, unseen: 4 })
  })

  test('counts as unseen what a lap begun in the middle has not reached, up to the last', async () => {
    record(3)
    record(1)
    expect(await progress()).toMatchObject({ next: { id: 4 }, behind: 4, unseen: 2 })
    record(4)
    expect(await progress()).toMatchObject({ next: { id: 2 }, behind: 3, unseen: 1 })
    skip(2)
    expect(await progress()).toMatchObject({ next: undefined, behind: 0, unseen: 0 })
  })
})

test('a list may grow unless a source listed its last episode, or the work has no episodes (D62)', async () => {
  expect([(await progress(1))?.mayGrow, (await progress(3))?.mayGrow, (await progress(4))?.mayGrow]).toEqual([
    false,
    false,
    true,
  ])
  handle.run('update episodes set estimated = 1 where id = 1')
  expect((await progress(1))?.mayGrow).toBe(true)
  handle.run('update episodes set estimated = 0 where id = 1')
})
