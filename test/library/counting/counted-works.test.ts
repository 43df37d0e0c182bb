import { expect, test } from 'bun:test'
import type { WorkCounts } from '../../../src/library/counting/count-works'
import { yearPeriod } from '../../../src/library/counting/period'
import type { CountedPlay, CountedStatus, Watched, WorkFacts } from '../../../src/library/counting/plays'
import { type Choice, countAll } from '../../../src/library/counting/statistics'

const media = ['tv', 'ova', 'movie'] as const
const works = new Map<number, WorkFacts>(
  [1, 2, 3, 4, 5, 6, 7, 8].map((id) => [
    id,
    {
      ...{ id, media: media[id % 3] ?? 'tv', season_year: id === 8 ? null : 1990 + id * 5 },
      ...{ season: id % 2 === 0 ? 'spring' : null, minutes: null },
    },
  ]),
)

const choice: Choice = {
  timeZone: 'Asia/Tokyo',
  dayBegins: 0,
  period: undefined,
  media: undefined,
  now: Date.parse('2026-01-10T12:00:00Z'),
}
const day = (date: string, work_id = 1, lap = 1): CountedPlay => ({
  ...{ work_id, lap, at: Date.parse(`${date}T12:00:00Z`), precision: 'day' },
})
const words = ({ ratings }: WorkCounts) =>
  Object.fromEntries([...ratings].map(([work, { rating }]) => [work, rating]))
const nothing: Watched = { plays: [], reviews: [], statuses: [], works }

test('days in a row: the longest, and the one that lasts until today or yesterday', () => {
  const plays = ['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-08', '2026-01-09'].map((date) =>
    day(date),
  )
  const daysOf = (now: string) => countAll({ ...nothing, plays }, { ...choice, now: Date.parse(now) }).days
  const found = daysOf('2026-01-10T12:00:00Z')
  expect(found.longest).toEqual({ first: Date.parse('2025-12-30') / 86_400_000, length: 3 })
  expect(found.current?.length).toBe(2)
  expect(daysOf('2026-01-09T12:00:00Z').current?.length).toBe(2)
  expect(daysOf('2026-01-11T12:00:00Z').current).toBeUndefined()
  // Midnight in Tokyo, where the next day has begun.
  expect(daysOf('2026-01-10T15:00:00Z').current).toBeUndefined()
  // Five in eleven days.
  expect(found.perWeek).toBe(3.2)
  expect(found.busiest).toEqual({ day: Date.parse('2025-12-30') / 86_400_000, plays: 1 })
})

test('a week is the least that a rate is told of', () => {
  const plays = [day('2026-01-01'), day('2026-01-01', 2), day('2026-01-02')]
  expect(countAll({ ...nothing, plays }, choice).days.perWeek).toBe(3)
  expect(countAll(nothing, choice).days.perWeek).toBeUndefined()
})

test('watched again: later laps, and viewings after the first, of which an unknown time comes first', () => {
  const undated: CountedPlay = { ...day('2026-01-09', 2, 0), precision: 'none' }
  const plays = [
    ...[day('2024-05-01', 1, 1), day('2025-05-01', 1, 2), day('2025-06-01', 1, 3)],
    ...[undated, day('2025-07-01', 2, 0)],
    ...[day('2025-07-02', 3, 0), day('2026-01-02', 3, 0)],
    day('2025-08-01', 4, 1),
  ]
  const again = (period: Choice['period']) =>
    countAll({ ...nothing, plays }, { ...choice, period }).works.rewatched
  expect(again(undefined)).toEqual([
    { work_id: 1, times: 2 },
    { work_id: 2, times: 1 },
    { work_id: 3, times: 1 },
  ])
  expect(again(yearPeriod(2025))).toEqual([
    { work_id: 1, times: 2 },
    { work_id: 2, times: 1 },
  ])
  expect(again(yearPeriod(2026))).toEqual([{ work_id: 3, times: 1 }])
})

test('of works: what they are, how they were rated last, and what became of those begun', () => {
  const statuses: CountedStatus[] = [
    { work_id: 1, kind: 'watched', started_on: null, finished_on: null },
    { work_id: 2, kind: 'stop_watching', started_on: '2025-02', finished_on: null },
    { work_id: 4, kind: 'stop_watching', started_on: null, finished_on: null },
    { work_id: 5, kind: 'wanna_watch', started_on: null, finished_on: null },
    { work_id: 7, kind: 'on_hold', started_on: '2025', finished_on: null },
  ]
  const rated = (work_id: number, rating: 'bad' | 'great' | null) => ({
    work_id,
    at: null,
    precision: null,
    rating,
    score: null,
  })
  const reviews = [rated(1, 'bad'), rated(1, 'great'), rated(1, null), rated(3, 'bad')]
  const plays = [
    ...[day('2025-01-01'), day('2025-01-02')],
    ...[day('2025-02-01', 2), day('2025-02-02', 2), day('2025-02-03', 2, 2)],
    ...['01', '02', '03', '04'].map((date) => day(`2025-03-${date}`, 4)),
  ]
  const all = countAll({ ...nothing, plays, statuses, reviews }, choice).works
  expect(all.completion).toEqual({ watched: [1], watching: [], on_hold: [7], stop_watching: [2, 4] })
  expect(all.droppedAfter).toBe(2)
  expect(words(all)).toEqual({ 1: 'great', 3: 'bad' })
  expect(all.seen.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4, 7])
  expect(all.decades).toEqual([
    [1990, 1],
    [2000, 2],
    [2010, 1],
    [2020, 1],
  ])
  const year = countAll(
    { ...nothing, plays, statuses, reviews },
    { ...choice, period: yearPeriod(2025) },
  ).works
  expect(year.seen.map(({ id }) => id).sort()).toEqual([1, 2, 4])
  expect(words(year)).toEqual({ 1: 'great' })
  expect(year.completion).toEqual({ watched: [1], watching: [], on_hold: [7], stop_watching: [2, 4] })
  expect(year.media).toEqual([
    { media: 'ova', works: 2, episodes: 6 },
    { media: 'movie', works: 1, episodes: 3 },
  ])
})
