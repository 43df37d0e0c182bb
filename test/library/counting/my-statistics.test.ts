import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createInstance } from '../../support/instance'
import { personOf } from '../../support/people'
import { seedLibrary } from '../../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { handle } = kiroku.store
const [mio, azusa] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'azusa')]
afterAll(kiroku.close)

const path = '/v1/me/stats'
const stats = (query = '') => mio.json(`${path}${query}`)

beforeEach(() => {
  handle.run('delete from activities')
  for (const table of ['likes', 'comments', 'notifications', 'reports']) handle.run(`delete from ${table}`)
  for (const table of ['records', 'reviews', 'statuses']) handle.run(`delete from ${table} where user_id = 1`)
})

const record = (watched_at: string, more: object = {}) =>
  mio.done('POST', '/v1/me/records', { episode_id: 1, watched_at, ...more })

describe('GET /v1/me/stats (D90)', () => {
  test.each([
    ['?year=1899', 'year must be a whole number from 1,900 to 9,998.'],
    ['?year=soon', 'year must be a whole number from 1,900 to 9,998.'],
    ['?from=2025-13&until=2026-01', 'from must be a month such as 2025-07, from 1900 on.'],
    ['?from=2025-01&until=2025', 'until must be a month such as 2025-07, from 1900 on.'],
    ['?from=1899-12&until=2025-01', 'from must be a month such as 2025-07, from 1900 on.'],
    ['?from=2025-04&until=2025-03', 'until must not be before from.'],
    ['?year=2025&until=2025-03', 'year must not be sent together with from or until.'],
    ['?media=radio', 'media must be one of tv, ova, movie, web, other.'],
    ['?time_zone=Asia/Edo', 'time_zone must be the IANA name of a time zone, such as Asia/Tokyo.'],
  ])('refuses %s', async (query, message) => {
    expect(await mio.refused('invalid_params', 'GET', `${path}${query}`)).toEqual([message])
  })

  test('of nothing it is zero everywhere', async () => {
    expect(await stats()).toEqual({
      ...{ from: null, until: null, time_zone: 'UTC', media: null },
      ...{ episodes: 0, films: 0, works_finished: 0, minutes: 0, undated: 0 },
      ...{ days: 0, longest_streak: 0, current_streak: 0, episodes_per_week: null },
      ...{ years: [], months: [], weekdays: Array(7).fill(0), hours: Array(24).fill(0) },
      ...{ media_counts: [], decades: [], ratings: { bad: 0, average: 0, good: 0, great: 0 } },
      completion: { watched: 0, watching: 0, on_hold: 0, stop_watching: 0 },
      ...{ rewatched: [], scores: Array(10).fill(0), mean_score: null },
    })
  })

  test('what is known only in part counts as far as it is known', async () => {
    await record('2025-12-31T16:30:00Z')
    await record('2025-12-31', { episode_id: 2 })
    await record('2025-12', { episode_id: 3 })
    await record('2025', { episode_id: 1 })
    await record('', { episode_id: 1, watched_at_precision: 'none' })
    const all = await stats('?time_zone=Asia/Tokyo')
    expect(all).toMatchObject({ episodes: 5, undated: 1, days: 2, minutes: 5 * 24 })
    expect(all.years).toEqual([
      { year: 2025, episodes: 3, films: 0 },
      { year: 2026, episodes: 1, films: 0 },
    ])
    expect(all.months).toEqual([
      { month: '2025-12', episodes: 2, films: 0 },
      { month: '2026-01', episodes: 1, films: 0 },
    ])
    // Half past one in Tokyo, on a Thursday; the day before without a time.
    expect(
      all.hours.map((count: number, hour: number) => [hour, count]).filter(([, count]: number[]) => count),
    ).toEqual([[1, 1]])
    expect(all.weekdays).toEqual([0, 0, 1, 1, 0, 0, 0])
    expect(await stats('?year=2025&time_zone=Asia/Tokyo')).toMatchObject({
      episodes: 3,
      from: '2025-01',
      until: '2025-12',
    })
    expect(await stats('?year=2025')).toMatchObject({ episodes: 4, time_zone: 'UTC' })
    expect(await stats('?from=2025-12&until=2025-12&time_zone=Asia/Tokyo')).toMatchObject({ episodes: 2 })
    expect(await stats('?from=2024-07&until=2026-06&time_zone=Asia/Tokyo')).toMatchObject({
      episodes: 4,
      undated: 1,
    })
    expect(await stats('?from=2025-12')).toMatchObject({ episodes: 3, from: '2025-12', until: '2026-04' })
    expect(await stats('?from=2027-01')).toMatchObject({ episodes: 0, from: '2027-01', until: '2027-01' })
    expect(await stats('?until=2025-12')).toMatchObject({ episodes: 4, from: '1900-01', until: '2025-12' })
    handle.run("update users set time_zone = 'Asia/Tokyo' where id = 1")
    expect(await stats('?year=2026')).toMatchObject({ time_zone: 'Asia/Tokyo', episodes: 1 })
    handle.run('update users set time_zone = null where id = 1')
  })

  test('the length of a work is what its source says, else what is usual for its medium', async () => {
    await record('2026-03-01')
    expect((await stats()).minutes).toBe(24)
    handle.run('update works set minutes = 7 where id = 1')
    expect((await stats()).minutes).toBe(7)
    handle.run('update works set minutes = null where id = 1')
    expect(() => handle.run('update works set minutes = 601 where id = 1')).toThrow('CHECK')
  })

  test('private entries count for their owner, and nobody else’s count at all', async () => {
    await record('2026-03-01', { private: true })
    expect(await stats()).toMatchObject({ episodes: 1, days: 1 })
    const before = await azusa.json(path)
    await record('2026-03-02')
    expect(await azusa.json(path)).toEqual(before)
  })

  test('numbers are counted by tens, with their mean; a word alone has none (D87)', async () => {
    const rate = (work: number, score: number | null, word: string | null) =>
      handle.run(
        'insert into reviews (user_id, work_id, score, rating_overall_state, created_at) values (1, ?, ?, ?, 1)',
        [work, score, word],
      )
    rate(1, 50, 'average')
    rate(1, 100, 'great')
    rate(2, 10, 'bad')
    rate(3, 11, null)
    rate(5, null, 'good')
    expect(await stats()).toMatchObject({
      scores: [1, 1, 0, 0, 0, 0, 0, 0, 0, 1],
      mean_score: 40.3,
      ratings: { bad: 1, average: 0, good: 1, great: 1 },
    })
  })

  test('one medium alone, and a film', async () => {
    const [film] = handle
      .query<{ id: number }, []>(
        "select id from works where media = 'movie' and episodes_count = 0 and hidden = 0",
      )
      .all()
    await mio.done('POST', '/v1/me/viewings', { work_id: film?.id, watched_at: '2026-01-01' })
    await mio.done('POST', '/v1/me/viewings', {
      work_id: film?.id,
      watched_at: '2026-02-01',
      rating_overall_state: 'great',
    })
    await mio.done('POST', '/v1/me/statuses', { work_id: film?.id, kind: 'watched', finished_on: '2026-02' })
    await record('2026-03-01')
    expect(await stats('?media=movie')).toMatchObject({
      ...{ episodes: 0, films: 2, minutes: 200, works_finished: 1, media: 'movie' },
      media_counts: [{ media: 'movie', works: 1, episodes: 0 }],
      ratings: { bad: 0, average: 0, good: 0, great: 1 },
      rewatched: [{ work_id: film?.id, times: 1 }],
    })
    expect(await stats('?year=2025')).toMatchObject({ films: 0, works_finished: 0 })
    expect(await stats('?year=2026')).toMatchObject({ episodes: 1, films: 2, works_finished: 1 })
  })
})
