import { expect, test } from 'bun:test'
import type { Moment, Play } from '../../../src/transfer/row'
import { episodesOf, hereOf, now, plan } from '../../support/here-samples'

const hour = 3_600_000
const begin = Date.UTC(2023, 2, 10, 11)

const play = (watchedAt?: Moment, more: Partial<Play> = {}): Play => ({ episode: 1, watchedAt, ...more })

/** New records as hours since `begin`, or their precision, and laps. */
const made = (plays: readonly Play[], records: Parameters<typeof episodesOf>[1] = {}) =>
  plan({ plays }, { here: hereOf({ episodes: episodesOf(12, records) }) }).writes?.records.map(
    ({ watchedAt, precision, lap }) => [precision === 'none' ? 'none' : (watchedAt - begin) / hour, lap],
  ) ?? []

test('two plays of one episode within 12 hours are one; later ones belong to later laps', () => {
  expect(made([play(begin), play(begin + 12 * hour)])).toEqual([[0, 1]])
  expect(made([play(begin + 100 * hour), play(begin + hour), play(begin), play(begin + 13 * hour)])).toEqual([
    [0, 1],
    [13, 2],
    [100, 3],
  ])
  expect(made([play(begin), play(begin, { episode: 2 })]).length).toBe(2)
})

test('laps after the current one begin with their first record', () => {
  const plays = [play(begin), play(begin + 100 * hour), play(begin + 90 * hour, { episode: 2 })]
  const again = [...plays, play(begin + 200 * hour, { episode: 2 })]
  expect(plan({ plays: again }).writes?.laps).toEqual([{ number: 2, startedAt: begin + 100 * hour }])
  expect(plan({ plays: again }, { here: hereOf({ lap: 2 }) }).writes?.laps).toEqual([])
  expect(plan({ plays }, { here: hereOf({ lap: 1 }) }).writes?.laps).toEqual([
    { number: 2, startedAt: begin + 100 * hour },
  ])
})

test('an existing play is not added again; one before it is in the first lap, one after it in the next', () => {
  const here = { 0: [{ watchedAt: begin, precision: 'time' as const }] }
  expect(made([play(begin + 5 * hour)], here)).toEqual([])
  expect(made([play('2023-03-10')], here)).toEqual([])
  expect(made([play(begin - 50 * hour), play(begin + 50 * hour)], here)).toEqual([
    [-50, 1],
    [50, 2],
  ])
})

test('a record at an unknown time counts as one of the plays', () => {
  expect(made([play(begin)], { 0: [{}] })).toEqual([])
  expect(made([play(begin), play(begin + 50 * hour)], { 0: [{}] })).toEqual([[50, 2]])
  expect(made([play()], { 0: [{ watchedAt: begin, precision: 'time' }] })).toEqual([])
  expect(made([play(), play()], { 0: [{}] })).toEqual([['none', 2]])
})

test('a play with a comment or a rating is added next to a record without one, in its lap', () => {
  const rated = { rating: 'great' as const, comment: ' 名シーン ' }
  const here = hereOf({ episodes: episodesOf(12, { 0: [{}] }) })
  const { writes } = plan({ plays: [play(begin, rated)] }, { here })
  expect(writes?.records).toMatchObject([
    { lap: 1, ratingState: 'great', score: null, comment: '名シーン', watchedAt: begin },
  ])
  expect(made([play(begin, rated)], { 0: [{ watchedAt: begin + hour, precision: 'time' }] })).toEqual([
    [0, 1],
  ])
  const edited = { watchedAt: begin, precision: 'time' as const, isCommented: true }
  expect(made([play(begin, rated)], { 0: [edited] })).toEqual([])
  expect(made([play(begin, rated), play(begin + hour, { comment: 'b' })], { 0: [edited] })).toEqual([[1, 1]])
})

test('next to a record without one there is room for one comment, even if it was written before', () => {
  const [one, other] = [play(undefined, { comment: 'a' }), play(undefined, { comment: 'b' })]
  expect(made([one, other], { 0: [{}] })).toEqual([
    ['none', 1],
    ['none', 2],
  ])
  expect(made([one, other], { 0: [{}, { isCommented: true }] })).toEqual([['none', 2]])
})

test('plays within 12 hours that say different things are all kept, in one lap', () => {
  const [one, other] = [play(begin, { comment: 'a' }), play(begin + hour, { comment: 'b' })]
  expect(made([one, other, play(begin + 2 * hour), one])).toEqual([
    [0, 1],
    [1, 1],
  ])
  expect(made([play(begin - hour), one])).toEqual([[0, 1]])
})

test('a time without a zone is in the chosen zone; a day is its noon', () => {
  const [late, day] = [play('2023-03-11T21:00:00'), play('2023-03-12', { episode: 2 })]
  expect(plan({ plays: [late, day] }).writes?.records).toMatchObject([
    { watchedAt: Date.UTC(2023, 2, 11, 12), precision: 'time' },
    { watchedAt: Date.UTC(2023, 2, 12, 3), precision: 'day', createdAt: Date.UTC(2023, 2, 12, 3) },
  ])
})

test.each([now + 1, -7e11, Number.NaN, '2026-04-02', '1949-12-31', '2023-02-30', '2023-02-30T10:00', 'soon'])(
  'a play at a time that cannot be has none: %p',
  (moment) => {
    expect(plan({ plays: [play(moment)] }).writes?.records).toMatchObject([
      { watchedAt: now, precision: 'none', createdAt: now },
    ])
  },
)

test('plays of episodes missing in the list are left out, with a warning; a row with no others is to be checked', () => {
  const foreign = [play(begin, { episode: 0 }), play(begin, { episode: 13 })]
  const alone = plan({ plays: foreign })
  expect([alone.state, alone.reason, alone.shown.warnings]).toEqual([
    'check',
    'episode_count_differs',
    ['there is no episode 0, 13'],
  ])
  const { state, shown, writes } = plan({ plays: [...foreign, play(begin)] })
  expect([state, shown.warnings.length, writes?.records.length]).toEqual(['new', 1, 1])
})

test('progress fills in what the plays leave', () => {
  const { writes } = plan({ progress: 3, plays: [play(begin, { episode: 2 })] })
  expect(writes?.records.map(({ index }) => index)).toEqual([1, 0, 2])
})

test('plays are shown with their laps, at most a hundred, except those without content', () => {
  const { shown } = plan({ plays: [play(begin), play(begin + 50 * hour), play(undefined, { episode: 2 })] })
  const blank = { episode: 1, precision: 'time', ratingState: null, comment: '' } as const
  expect(shown.records).toEqual([
    { ...blank, watchedAt: begin, lap: 1 },
    { ...blank, watchedAt: begin + 50 * hour, lap: 2 },
  ])
  const many = Array.from({ length: 150 }, (_, at) => play(begin + at * 13 * hour))
  expect(plan({ plays: many }).shown.records.length).toBe(100)
})

test.each([
  ['trakt', 2, true, 'watching'],
  ['trakt', 12, true, 'watched'],
  ['trakt', 12, false, 'watching'],
  ['yamtrack', 12, true, null],
] as const)(
  'a history without a list gives a status: %s with %d of 12 episodes, length known %p',
  (source, count, hasKnownLength, status) => {
    const plays = Array.from({ length: count }, (_, at) => play(begin, { episode: at + 1 }))
    const { shown, writes } = plan({ plays }, { source, here: hereOf({ hasKnownLength }) })
    expect([shown.status, writes?.status?.kind ?? null]).toEqual([status, status])
  },
)

test('a rating alone creates neither a play nor a status', () => {
  const { shown, writes } = plan({ score: { value: 8, scale: 10 } }, { source: 'trakt' })
  expect([shown.status, writes?.status, writes?.records.length, writes?.reviews.length]).toEqual([
    null,
    null,
    0,
    1,
  ])
})
