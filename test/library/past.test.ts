import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { type PastTime, recordPast } from '../../src/library/acts/past-act'
import { undo } from '../../src/library/acts/undo'
import { contentOf } from '../support/acts'
import { rowsOf } from '../support/counted'
import { createInstance, start } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'
import { addSeries } from '../support/works'

const kiroku = await createInstance({ seed: seedLibrary })
const { deps, store } = kiroku
const { handle } = store
const mio = await personOf(kiroku, 'mio')
afterAll(kiroku.close)

const day = 86_400_000
const never = { watched_at: start, watched_at_precision: 'none' } as const
await addSeries(kiroku, 50, 12)
await addSeries(kiroku, 51, 3)
await addSeries(kiroku, 52, 12)
const film =
  handle.query<{ id: number }, []>('select id from works where no_episodes = 1 and hidden = 0').get()?.id ?? 0
handle.run('update works set season_year = 2016 where id in (50, 51)')

beforeEach(() => {
  for (const table of [
    'acts',
    'records',
    'reviews',
    'activities',
    'statuses',
    'skips',
    'laps',
    'likes',
    'comments',
    'activity_records',
    'programs',
  ])
    handle.run(`delete from ${table}`)
  handle.run("update works set released_on = '2016-08-26' where id = ?", [film])
})

const past = (workIds: readonly number[], when: PastTime = never) => recordPast(deps, 1, { workIds, when })
const sumsOf = async (...asked: Parameters<typeof past>) => {
  const { works, records, viewings } = await past(...asked)
  return [works, records, viewings]
}
const records = (work: number) => rowsOf(handle, 'records').filter(({ work_id }) => work_id === work)
const statuses = () => rowsOf(handle, 'statuses').map(({ work_id, kind }) => [work_id, kind])
/** The first broadcast of the nth episode of the work. */
function airs(work: number, nth: number, at: number): void {
  const [episode] = handle
    .query<{ id: number }, [number, number]>(
      'select id from episodes where work_id = ? order by sort_number, id limit 1 offset ?',
    )
    .all(work, nth - 1)
  handle.run(
    `insert into programs (work_id, episode_id, channel_id, started_at, is_rebroadcast, source_id)
      select ?, ?, min(channels.id), ?, 0, min(channels.source_id) from channels`,
    [work, episode?.id ?? 0, at],
  )
}

describe('what was watched long ago (D89)', () => {
  test('is all of a list whose last broadcast is over, though some days had several episodes', async () => {
    const begin = start - 300 * day
    const end = begin + 9 * 7 * day
    const rule = `broadcast_begin = ${begin}, broadcast_end = ${end}, broadcast_interval = 'P7D'`
    handle.run(`update works set ${rule} where id = 50`)
    expect(await sumsOf([50])).toEqual([1, 12, 0])
    handle.run(
      "update works set broadcast_begin = null, broadcast_end = null, broadcast_interval = '' where id = 50",
    )
  })

  test('is a record of each episode that has none, and a viewing of a film, in one act with one undo', async () => {
    const episode = handle
      .query<{ id: number }, []>('select max(id) as id from episodes where work_id = 51')
      .get()
    await mio.done('POST', '/v1/me/records', { episode_id: episode?.id })
    const before = contentOf(handle)
    const { act, ...sums } = await past([50, 51, film, 50])
    expect([sums.works, sums.records, sums.viewings, act.count]).toEqual([3, 14, 1, 15])
    expect(records(50).map((row) => row.watched_at_precision)).toEqual(
      Array.from({ length: 12 }, () => 'none'),
    )
    expect(statuses()).toEqual([
      [film, 'watched'],
      [50, 'watched'],
      [51, 'watched'],
    ])
    expect(rowsOf(handle, 'acts')).toHaveLength(1)
    await undo(deps, 1, { actId: act.id })
    expect(contentOf(handle)).toEqual(before)
  })

  test('is told to nobody', async () => {
    const count = (table: string) => rowsOf(handle, table).length
    const before = ['activities', 'notifications', 'deliveries'].map(count)
    await past([50, film])
    expect(['activities', 'notifications', 'deliveries'].map(count)).toEqual(before)
  })

  test('leaves out what is still to be broadcast; a work that airs becomes one that is being watched', async () => {
    for (let nth = 1; nth <= 12; nth += 1) airs(52, nth, start + (nth - 4.5) * 7 * day)
    expect(await sumsOf([52])).toEqual([1, 4, 0])
    expect(records(52)).toHaveLength(4)
    expect(statuses()).toEqual([[52, 'watching']])
    await expect(past([52])).rejects.toThrow('change nothing')
  })

  test('never begins with a season or a film that is to come', async () => {
    handle.run("update works set season_year = 2027, season = 'spring' where id = 52")
    handle.run("update works set released_on = '2027-01-01' where id = ?", [film])
    await expect(past([52, film])).rejects.toThrow('change nothing')
    handle.run('update works set season_year = null, season = null where id = 52')
    expect([records(52), rowsOf(handle, 'reviews'), statuses()]).toEqual([[], [], []])
  })

  test('keeps what is on hold or dropped, and passes over skipped episodes', async () => {
    handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, 50, 'stop_watching', 1)")
    handle.run(
      'insert into skips (user_id, episode_id, lap, created_at) select 1, min(id), 1, 1 from episodes where work_id = 50',
    )
    expect(await sumsOf([50])).toEqual([1, 11, 0])
    expect(statuses()).toEqual([[50, 'stop_watching']])
  })

  test('each on its broadcast day where that is known, in the year of each work, or at a given date', async () => {
    // One in the morning in Japan on the 7th: the evening of the 6th.
    airs(51, 1, Date.UTC(2016, 3, 6, 16))
    const dates = (work: number) =>
      records(work).map((row) => [
        new Date(Number(row.watched_at)).toISOString().slice(0, 10),
        row.watched_at_precision,
      ])
    await past([51, film], 'aired')
    expect(dates(51)[0]).toEqual(['2016-04-06', 'day'])
    expect(
      dates(51)
        .slice(1)
        .map(([, precision]) => precision),
    ).toEqual(['none', 'none'])
    expect(rowsOf(handle, 'reviews')).toMatchObject([
      { watched_at: Date.UTC(2016, 7, 26, 12), watched_at_precision: 'day' },
    ])
    await past([50], 'year')
    expect(new Set(dates(50).map(([at, precision]) => `${at?.slice(0, 4)} ${precision}`))).toEqual(
      new Set(['2016 year']),
    )
  })

  test('at most 100 works and 3,000 episodes at once; nothing of more', async () => {
    await addSeries(kiroku, 4000, 1500)
    await addSeries(kiroku, 4001, 1501)
    await expect(past([4000, 4001])).rejects.toThrow()
    await expect(past(Array.from({ length: 101 }, (_, at) => at + 1))).rejects.toThrow()
    expect(rowsOf(handle, 'records')).toEqual([])
    handle.run(
      'update episodes set hidden = 1 where id = (select max(id) from episodes where work_id = 4001)',
    )
    expect(await sumsOf([4000, 4001])).toEqual([2, 3000, 0])
  })
})

describe('POST /v1/me/past, an extension (D89)', () => {
  const ask = (params: object) => mio.done('POST', '/v1/me/past', { ...params })

  test('refuses unknown and hidden works, and what is no date', async () => {
    await mio.refused('not_found', 'POST', '/v1/me/past', { work_ids: '50,999999' })
    await mio.refused('invalid_params', 'POST', '/v1/me/past', { work_ids: '' })
    await mio.refused('invalid_params', 'POST', '/v1/me/past', { work_ids: '50', watched_at: '2999' })
    await mio.refused('invalid_params', 'POST', '/v1/me/past', {
      work_ids: '50',
      watched_at_precision: 'year',
    })
    expect(rowsOf(handle, 'records')).toEqual([])
  })

  test('says what it recorded, at an unknown time unless one is sent, and twice nothing', async () => {
    expect(await ask({ work_ids: [50, film] })).toEqual({ works: 2, records: 12, viewings: 1 })
    expect(records(50)[0]).toMatchObject({ watched_at_precision: 'none' })
    expect(await ask({ work_ids: `50,${film}` })).toEqual({ works: 0, records: 0, viewings: 0 })
    expect(await ask({ work_ids: '51', watched_at: '2016-03' })).toEqual({
      works: 1,
      records: 3,
      viewings: 0,
    })
    expect(records(51)[0]).toMatchObject({ watched_at_precision: 'month' })
    expect(rowsOf(handle, 'acts').map(({ kind, count }) => [kind, count])).toEqual([
      ['past', 13],
      ['past', 3],
    ])
  })
})
