import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { eveningsOf, type ProgramSlot, readSkips } from '../../../src/catalogue/edit/slot-plan'

const weekly: ProgramSlot = {
  ...{ beginsOn: '2026-10-06', minute: 24 * 60, every: 7, weeks: undefined, skips: [], atOnce: 1 },
}

const shown = (slot: Partial<ProgramSlot>, left: number) =>
  eveningsOf({ ...weekly, ...slot }, left).map(({ day, at, places }) =>
    [day, new Date(at).toISOString().slice(0, 16), places.join('+')].join(' '),
  )

test('a slot goes on weekly until the list ends, in Japan’s time, past midnight and the new year', () => {
  const evenings = shown({ minute: 25 * 60 + 30 }, 14)
  expect(evenings).toHaveLength(14)
  expect(evenings[0]).toBe('2026-10-06 2026-10-06T16:30 0')
  expect(evenings.slice(-2)).toEqual(['2026-12-29 2026-12-29T16:30 12', '2027-01-05 2027-01-05T16:30 13'])
})

test('what follows a week without a broadcast is pushed, also when that is the first', () => {
  expect(shown({ skips: [1, 3] }, 3)).toEqual([
    '2026-10-06 2026-10-06T15:00 ',
    '2026-10-13 2026-10-13T15:00 0',
    '2026-10-20 2026-10-20T15:00 ',
    '2026-10-27 2026-10-27T15:00 1',
    '2026-11-03 2026-11-03T15:00 2',
  ])
})

test('several episodes come at once on the first day', () => {
  expect(shown({ atOnce: 4, skips: [2] }, 6)).toEqual([
    '2026-10-06 2026-10-06T15:00 0+1+2+3',
    '2026-10-13 2026-10-13T15:00 ',
    '2026-10-20 2026-10-20T15:00 4',
    '2026-10-27 2026-10-27T15:00 5',
  ])
  expect(shown({ atOnce: 3, weeks: 1 }, 12)).toEqual(['2026-10-06 2026-10-06T15:00 0+1+2'])
})

test('a list without episodes has no evenings, and no slot has more than 400', () => {
  expect(shown({}, 0)).toEqual([])
  expect(shown({}, 2000)).toHaveLength(400)
})

test('weeks without a broadcast are read as numbers and as days of the slot', () => {
  const skips = (text: string) => readSkips(text, weekly)
  expect(skips('')).toEqual([])
  expect(skips('2026-11-10')).toEqual([6])
  expect(skips('９, 2026-10-06、6 6\n2026-11-10')).toEqual([1, 6, 9])
  expect(skips('6 2026-11-11')).toBe('2026-11-11')
  expect(skips('2026-09-29')).toBe('2026-09-29')
  for (const wrong of ['0', '401', '1.5', '-1', 'next', '2026-02-30', '2036-10-06'])
    expect(skips(wrong)).toBe(wrong)
})

test('any slot shows each episode once, in order, on days of its rhythm that are not skipped', () => {
  const slots = fc.record({
    day: fc.integer({ min: 0, max: 30_000 }),
    minute: fc.integer({ min: 0, max: 1799 }),
    every: fc.constantFrom(1, 7, 14),
    skips: fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 20 }),
    atOnce: fc.integer({ min: 1, max: 5 }),
    more: fc.integer({ min: 0, max: 60 }),
  })
  fc.assert(
    fc.property(slots, ({ day, more, ...slot }) => {
      const beginsOn = new Date(day * 86_400_000).toISOString().slice(0, 10)
      const left = slot.atOnce + more
      const evenings = eveningsOf({ ...slot, beginsOn, weeks: undefined }, left)
      expect(evenings.flatMap(({ places }) => places)).toEqual(Array.from({ length: left }, (_, at) => at))
      for (const [at, evening] of evenings.entries()) {
        expect(evening.places.length === 0).toBe(slot.skips.includes(at + 1))
        const midnight = Date.parse(`${evening.day}T00:00:00+09:00`)
        expect(midnight).toBe((day + at * slot.every) * 86_400_000 - 9 * 3_600_000)
        expect(evening.at - midnight).toBe(slot.minute * 60_000)
      }
    }),
    { numRuns: 100 },
  )
})
