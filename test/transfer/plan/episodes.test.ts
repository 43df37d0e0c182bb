import { expect, test } from 'bun:test'
import { episodesOf, hereOf, now, plan, statusOf } from '../../support/here-samples'

/** Indexes of the new records, with their days. */
const days = (...input: Parameters<typeof plan>) =>
  plan(...input).writes?.records.map(({ index, precision, watchedAt }) => [
    index,
    precision === 'day' ? new Date(watchedAt).toISOString() : precision,
  ])

test('progress records the first episodes without a record, in order', () => {
  const here = hereOf({ episodes: episodesOf(12, { 1: [{}], 3: [{ lap: 2 }] }) })
  const { writes, shown } = plan({ progress: 5 }, { here })
  expect(writes?.records.map(({ index }) => index)).toEqual([0, 2, 4])
  expect([shown.episodes, shown.added, shown.here.episodes]).toEqual([5, 3, 2])
  const [record] = writes?.records ?? []
  const blank = { ratingState: null, score: null, comment: '', lap: 1, isModified: false, points: null }
  expect(record).toEqual({ index: 0, watchedAt: now, precision: 'none', createdAt: now, ...blank })
})

test('progress is never lowered, and never exceeds a complete list', () => {
  const here = hereOf({ episodes: episodesOf(12, { 0: [{}], 1: [{}], 2: [{}] }) })
  const less = plan({ status: 'watching', progress: 1 }, { here })
  expect([less.writes?.records, less.shown.episodes]).toEqual([[], 3])
  expect(plan({ progress: 40 }, { match: { growsTo: 40 } }).writes).toMatchObject({ growsTo: null })
  expect(plan({ progress: 40 }).writes?.records.length).toBe(12)
})

test('a list that may grow does so, to what was watched, at most 2,000', () => {
  const here = hereOf({ mayGrow: true, episodes: episodesOf(3, {}, 13) })
  const { writes, shown } = plan({ progress: 5 }, { here, match: { growsTo: 5 } })
  expect([writes?.growsTo, shown.growsTo, writes?.records.length]).toEqual([5, 5, 5])
  expect(writes?.episodes).toEqual([101, 102, 103])
  expect(plan({ progress: 1 }, { here, match: { growsTo: 2 } }).writes?.growsTo).toBeNull()
  expect(plan({ progress: 9999 }, { here, match: { growsTo: 9999 } }).writes?.growsTo).toBe(2000)
})

test('all means the whole list; individual numbers mean those of the list, otherwise positions', () => {
  const here = hereOf({ episodes: episodesOf(3, {}, 13) })
  const places = (row: object) => plan(row, { here }).writes?.records.map(({ index }) => index)
  expect(places({ progress: 'all' })).toEqual([0, 1, 2])
  expect(places({ watched: [15, 13, 13, 99, 0] })).toEqual([0, 2])
  expect(places({ watched: [2] })).toEqual([1])
})

test('the first day belongs to the first episode, the last day to the last one, the others have none', () => {
  const row = { status: 'watched', progress: 12, startedOn: '2020-01-05', finishedOn: '2020-03-22' } as const
  const [first, second, ...others] = days(row) ?? []
  expect([first, second]).toEqual([
    [0, '2020-01-05T03:00:00.000Z'],
    [1, 'none'],
  ])
  expect(others.at(-1)).toEqual([11, '2020-03-22T03:00:00.000Z'])
  expect(others.filter(([, day]) => day === 'none').length).toBe(9)
})

test("a day is noon in the chosen zone, on that day in UTC, and the record's time of creation", () => {
  const at = (timeZone: string) =>
    plan({ progress: 1, startedOn: '2020-07-05' }, { options: { timeZone } }).writes?.records[0]
  expect(at('America/New_York')).toMatchObject({ watchedAt: Date.UTC(2020, 6, 5, 16) })
  expect(at('Pacific/Kiritimati')).toMatchObject({ watchedAt: Date.UTC(2020, 6, 5) })
  expect(at('Pacific/Pago_Pago')).toMatchObject({ watchedAt: Date.UTC(2020, 6, 5, 23) })
  expect(at('Asia/Tokyo')).toMatchObject({ createdAt: Date.UTC(2020, 6, 5, 3) })
})

test('the last day needs the last episode; a single episode is watched on it', () => {
  const row = { startedOn: '2020-01-05', finishedOn: '2020-03-22' } as const
  expect(days({ ...row, status: 'stop_watching', progress: 2 })?.at(-1)).toEqual([1, 'none'])
  expect(days({ ...row, status: 'watched', progress: 2 })?.at(-1)).toEqual([1, '2020-03-22T03:00:00.000Z'])
  expect(days({ ...row, status: 'watching', progress: 'all' })?.at(-1)).toEqual([
    11,
    '2020-03-22T03:00:00.000Z',
  ])
  expect(days({ ...row, status: 'watched', progress: 1 })).toEqual([[0, '2020-03-22T03:00:00.000Z']])
})

test('days belong to the first lap', () => {
  const plays = [{ episode: 1 }, { episode: 1 }]
  expect(days({ plays, startedOn: '2020-01-05' })).toEqual([
    [0, '2020-01-05T03:00:00.000Z'],
    [0, 'none'],
  ])
})

test('recorded episodes keep their days, and give them to no others', () => {
  const here = hereOf({ episodes: episodesOf(12, { 0: [{}], 11: [{}] }), status: statusOf('watched') })
  const row = { status: 'watched', progress: 12, startedOn: '2020-01-05', finishedOn: '2020-03-22' } as const
  expect(days(row, { here })?.every(([, day]) => day === 'none')).toBe(true)
})

test.each([
  [{ startedOn: '2026-04-03' }, 'started_on 2026-04-03 is in the future'],
  [{ startedOn: '2027' }, 'started_on 2027 is in the future'],
  [{ finishedOn: '1949-12' }, 'finished_on 1949-12 is before 1950'],
  [{ finishedOn: '2016-02-30' }, 'finished_on 2016-02-30 is no date'],
  [{ startedOn: '2020-02', finishedOn: '2020-01-31' }, 'finished_on 2020-01-31 is before started_on 2020-02'],
])('a date that cannot be is left out, with a warning: %j', (dates, warning) => {
  const { state, shown, writes } = plan({ status: 'watched', progress: 12, ...dates })
  expect([state, shown.warnings]).toEqual(['new', [warning]])
  expect(writes?.records.every(({ precision }) => precision === 'none')).toBe(true)
  expect([shown.finishedOn, writes?.status?.finished_on]).toEqual([null, null])
})

test('today counts as begun where the user is, even before it has in UTC', () => {
  const options = { timeZone: 'Asia/Tokyo' }
  const late = Date.UTC(2026, 3, 1, 23)
  const { shown, writes } = plan({ progress: 1, startedOn: '2026-04-02' }, { now: late, options })
  expect([shown.warnings, writes?.records[0]?.watchedAt]).toEqual([[], Date.UTC(2026, 3, 2)])
})

test('a partly known date stays with the status', () => {
  const { writes } = plan({ status: 'watched', progress: 12, startedOn: '2016', finishedOn: '2016-03' })
  expect(writes?.records.every(({ precision }) => precision === 'none')).toBe(true)
  expect(writes?.status).toMatchObject({ started_on: '2016', finished_on: '2016-03' })
})

test('a finished work with some of its episodes has all of them only if the user says so', () => {
  const row = { status: 'watched', progress: 3, mayBeComplete: true } as const
  const addedOf = (completesWatched: boolean) => plan(row, { options: { completesWatched } }).shown.added
  expect([addedOf(false), addedOf(true)]).toEqual([3, 12])
  const { mayBeComplete: _, ...other } = row
  expect(plan(other, { options: { completesWatched: true } }).shown.added).toBe(3)
})
