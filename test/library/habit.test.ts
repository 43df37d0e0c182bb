import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { wallClock } from '../../src/lib/local-time'
import { habitIn } from '../../src/library/showings/habit'
import { nextEvening, slotOccurrences, slotTime, weekdayOfDay } from '../../src/library/showings/own-slot'

const hour = 3_600_000
const day = 24 * hour
/** Friday, 2026-05-15, 23:10 in Tokyo. */
const friday = Date.UTC(2026, 4, 15, 14, 10)
const tokyo = { now: friday + day, timeZone: 'Asia/Tokyo' }

test.each([
  ['a week apart at about one hour', [0, -7 * day, -14 * day], { weekday: 5, minute: 23 * 60 }],
  [
    'some minutes later each week',
    [0, -7 * day - hour / 3, -14 * day - hour / 2],
    { weekday: 5, minute: 23 * 60 },
  ],
  ['a day more and a day less', [0, -6 * day, -14 * day], { weekday: 5, minute: 23 * 60 }],
  ['after midnight', [2 * hour, -7 * day + 2 * hour, -14 * day + 2 * hour], { weekday: 5, minute: 25 * 60 }],
])('three records %s are a habit (D80)', (_, offsets, habit) => {
  expect(
    habitIn(
      offsets.map((offset) => friday + offset),
      tokyo,
    ),
  ).toMatchObject(habit)
})

test.each([
  ['two records', [0, -7 * day]],
  ['two on one evening', [0, -hour / 2, -7 * day]],
  ['a pause of two weeks', [0, -7 * day, -21 * day]],
  ['another hour', [0, -7 * day - 2 * hour, -14 * day]],
])('%s are none', (_, offsets) => {
  expect(
    habitIn(
      offsets.map((offset) => friday + offset),
      tokyo,
    ),
  ).toBeUndefined()
})

test('it stands on the next such day, today’s until the night is over, and is forgotten after four weeks', () => {
  const times = [friday, friday - 7 * day, friday - 14 * day]
  const next = (now: number) => habitIn(times, { ...tokyo, now })?.at
  expect(next(friday + hour)).toBe(friday - 10 * 60_000 + 7 * day)
  expect(next(friday + 7 * day + 6 * hour)).toBe(friday - 10 * 60_000 + 7 * day)
  expect(next(friday + 7 * day + 7 * hour)).toBe(friday - 10 * 60_000 + 14 * day)
  expect(next(friday + 28 * day)).toBeNumber()
  expect(next(friday + 28 * day + 1)).toBeUndefined()
})

const zones = [
  'Asia/Tokyo',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'UTC',
]
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)

test('times of one’s own keep weekday and wall clock in any zone, and a span has those of its parts (D80, D82)', () => {
  const slot = fc.record({
    time_zone: fc.constantFrom(...zones),
    minute: fc.constantFrom(0, 359, 360, 1439, 1440, 1530, 1799),
    begin: fc.integer({ min: 20_000, max: 20_800 }),
    every_weeks: fc.constantFrom(1, 2),
    left: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 3 }),
    cut: fc.integer({ min: 0, max: 400 }),
  })
  fc.assert(
    fc.property(slot, ({ begin, left, cut, ...rest }) => {
      const begins_on = dateOf(begin * day)
      const own = {
        ...rest,
        begins_on,
        skipped: JSON.stringify(left.map((n) => dateOf((begin + 7 * n) * day))),
      }
      const [from, until] = [(begin - 3) * day, (begin + 400) * day]
      const all = slotOccurrences(own, { from, until }, 20)
      expect(all.map(({ k }) => k)).toEqual(Array.from({ length: 20 }, (_, k) => k))
      for (const { at } of all) {
        const wall = wallClock(at, own.time_zone)
        const shown = slotTime(own, Math.floor((wall - own.minute * 60_000 + 2 * hour) / day))
        expect(shown).toBe(at)
        expect(weekdayOfDay(Math.floor((wall - own.minute * 60_000 + 2 * hour) / day))).toBe(
          weekdayOfDay(begin),
        )
      }
      const middle = from + cut * day
      const parts = [
        ...slotOccurrences(own, { from, until: middle }, 20),
        ...slotOccurrences(own, { from: middle, until }, 20),
      ]
      expect(parts).toEqual([...all])
      const next = all.find(({ at }) => at > middle)
      if (next !== undefined) expect(slotTime(own, nextEvening(own, middle))).toBe(next.at)
    }),
  )
})
