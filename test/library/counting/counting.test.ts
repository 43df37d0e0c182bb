import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { usualMinutes } from '../../../src/catalogue/minutes'
import { yearPeriod } from '../../../src/library/counting/period'
import type { CountedPlay, CountedStatus, Watched, WorkFacts } from '../../../src/library/counting/plays'
import { type Choice, countAll } from '../../../src/library/counting/statistics'

const zones = ['Asia/Tokyo', 'Europe/Berlin', 'America/New_York'] as const
const media = ['tv', 'ova', 'movie'] as const
const workIds = [1, 2, 3, 4, 5, 6, 7, 8]
const works = new Map<number, WorkFacts>(
  workIds.map((id) => [
    id,
    {
      id,
      media: media[id % 3] ?? 'tv',
      season_year: id === 8 ? null : 1990 + id * 5,
      season: id % 2 === 0 ? 'spring' : null,
      minutes: id === 1 ? 12 : null,
    },
  ]),
)

// From before the clock is put forward in 2025 until after it is put forward in 2026, in all three zones.
const [begin, end] = [Date.UTC(2025, 1, 20), Date.UTC(2026, 3, 10)]
const dateAtNoon = (at: number) => Math.floor(at / 86_400_000) * 86_400_000 + 43_200_000
const aPlay: fc.Arbitrary<CountedPlay> = fc
  .record({
    work_id: fc.constantFrom(...workIds),
    at: fc.oneof(
      fc.integer({ min: begin, max: end }),
      // Around the changes of the clock, and the ends of the year.
      ...[Date.UTC(2025, 2, 9), Date.UTC(2025, 2, 30), Date.UTC(2025, 9, 26), Date.UTC(2026, 0, 1)].map(
        (day) => fc.integer({ min: day - 43_200_000, max: day + 43_200_000 }),
      ),
    ),
    precision: fc.constantFrom('time', 'time', 'time', 'day', 'month', 'year', 'none'),
    lap: fc.constantFrom(0, 1, 1, 1, 2, 3),
  })
  .map((play) => (play.precision === 'time' ? play : { ...play, at: dateAtNoon(play.at) }))

const aStatus: fc.Arbitrary<CountedStatus> = fc.record({
  work_id: fc.constantFrom(...workIds),
  kind: fc.constantFrom('wanna_watch', 'watching', 'watched', 'on_hold', 'stop_watching'),
  started_on: fc.constantFrom(null, null, '2025', '2025-03'),
  finished_on: fc.constantFrom(null, null, '2026', '2025-11', '2025-12-31'),
})

const aWatched: fc.Arbitrary<Watched> = fc.record({
  plays: fc.array(aPlay, { maxLength: 60 }),
  reviews: fc.array(
    fc.record({
      work_id: fc.constantFrom(...workIds),
      at: fc.constant(null),
      precision: fc.constant(null),
      rating: fc.constantFrom(null, 'bad', 'good', 'great'),
      score: fc.constant(null),
    }),
    { maxLength: 10 },
  ),
  statuses: fc.uniqueArray(aStatus, { selector: ({ work_id }) => work_id }),
  works: fc.constant(works),
})

const aChoice: fc.Arbitrary<Choice> = fc.record({
  timeZone: fc.constantFrom(...zones),
  dayBegins: fc.constantFrom(0, 6),
  period: fc.constantFrom(undefined, yearPeriod(2025), yearPeriod(2026), {
    from: 2025 * 12 + 2,
    until: 2025 * 12 + 9,
  }),
  media: fc.constantFrom(undefined, undefined, 'tv'),
  now: fc.integer({ min: begin, max: end }),
})

/** Where a play stands in the calendar, as text, by the formatter alone. */
function said({ at, precision }: CountedPlay, { timeZone, dayBegins }: Choice) {
  const utc = new Date(at).toISOString()
  if (precision === 'none') return { date: '' }
  if (precision !== 'time') return { date: utc.slice(0, { day: 10, month: 7, year: 4 }[precision]) }
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' },
  } as const)
  const [today = '', clock = ''] = format.format(at).split(' ')
  const hour = Number(clock)
  const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10)
  return { date: hour < dayBegins ? yesterday : today, hour }
}

/** Months of the period as text; a year is held with all its months. */
function isHeld(date: string, period: Choice['period']): boolean {
  if (period === undefined) return true
  if (date === '') return false
  const months = Array.from({ length: period.until - period.from + 1 }, (_, index) => {
    const month = period.from + index
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
  })
  if (date.length > 4) return months.includes(date.slice(0, 7))
  return months.filter((month) => month.startsWith(date)).length === 12
}

const tallied = (keys: readonly string[]) =>
  Object.fromEntries(
    [...new Set(keys)].sort().map((key) => [key, keys.filter((other) => other === key).length]),
  )

function recount(watched: Watched, choice: Choice) {
  const own = watched.plays
    .filter(({ work_id }) => choice.media === undefined || works.get(work_id)?.media === choice.media)
    .map((play) => ({ ...play, ...said(play, choice) }))
  const held = own.filter(({ date }) => isHeld(date, choice.period))
  const of = (length: number) =>
    tallied(held.filter(({ date }) => date.length >= length).map(({ date }) => date.slice(0, length)))
  return {
    episodes: held.filter(({ lap }) => lap > 0).length,
    films: held.filter(({ lap }) => lap === 0).length,
    minutes: held
      .map(({ work_id }) => works.get(work_id))
      .reduce((sum, work) => sum + (work?.minutes ?? usualMinutes[work?.media ?? ''] ?? 0), 0),
    undated: own.filter(({ date }) => date === '').length,
    years: of(4),
    months: of(7),
    days: of(10),
    hours: tallied(held.flatMap((play) => ('hour' in play ? [String(play.hour)] : []))),
    finished: watched.statuses
      .filter(({ kind, work_id }) => {
        const isMedia = choice.media === undefined || works.get(work_id)?.media === choice.media
        return kind === 'watched' && isMedia
      })
      .filter((status) => {
        if (choice.period === undefined) return true
        const dates = own.filter(({ work_id, date }) => work_id === status.work_id && date !== '')
        const last = dates.toSorted(
          (one, other) => other.at - one.at || (one.precision < other.precision ? -1 : 1),
        )[0]
        return isHeld(finishedOn(status, last?.date), choice.period)
      })
      .map(({ work_id }) => work_id)
      .sort(),
  }
}

function finishedOn({ started_on, finished_on }: CountedStatus, last: string | undefined): string {
  if (finished_on !== null) return finished_on
  if (started_on === null || last === undefined) return last ?? ''
  return last !== started_on && last.slice(0, started_on.length) >= started_on ? last : ''
}

/** What the product counted, in the same form. */
function counted(watched: Watched, choice: Choice) {
  const { plays, works: found } = countAll(watched, choice)
  const month = (number: number) => `${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}`
  const sorted = <Key>(
    counts: ReadonlyMap<Key, number | { episodes: number; films: number }>,
    name: (key: Key) => string,
  ) =>
    Object.fromEntries(
      [...counts]
        .map(
          ([key, count]) =>
            [name(key), typeof count === 'number' ? count : count.episodes + count.films] as const,
        )
        .sort(),
    )
  const hours = plays.when.flatMap((day) => day.flatMap((count, hour) => Array(count).fill(String(hour))))
  return {
    ...{ episodes: plays.episodes, films: plays.films, minutes: plays.minutes, undated: plays.undated },
    years: sorted(plays.years, String),
    months: sorted(plays.months, month),
    days: sorted(plays.days, (day) => new Date(day * 86_400_000).toISOString().slice(0, 10)),
    hours: tallied(hours),
    finished: found.finished.toSorted(),
  }
}

test('plays are counted as by hand: zones with summer time, long nights, precisions and laps (D90)', () => {
  fc.assert(
    fc.property(aWatched, aChoice, (watched, choice) => {
      expect(counted(watched, choice)).toEqual(recount(watched, choice))
    }),
    { numRuns: 300 },
  )
})

test('years are the total without what is undated, months the years without what only has a year (D90)', () => {
  fc.assert(
    fc.property(aWatched, aChoice, (watched, choice) => {
      const { plays } = countAll(watched, { ...choice, period: undefined })
      const sum = (counts: Iterable<{ episodes: number; films: number }>) =>
        [...counts].reduce((total, { episodes, films }) => total + episodes + films, 0)
      const years = sum(plays.years.values())
      expect(years).toBe(plays.episodes + plays.films - plays.undated)
      const only = plays.plays.filter(({ precision }) => precision === 'year').length
      expect(sum(plays.months.values())).toBe(years - only)
    }),
  )
})
