import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createZoneClock, mostWeeks, mostZones, wallClock, zoneClock } from '../../src/lib/local-time'

// Summer time in both hemispheres, by half an hour, around Ramadan, a skipped day, seconds of local mean time.
const zones = [
  ...['UTC', 'Asia/Tokyo', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca'],
  ...['Pacific/Apia', 'Asia/Kathmandu', 'America/Sao_Paulo'],
]

test.each(zones)('a clock of %s shows what its wall clock does', (zone) => {
  const clock = createZoneClock(zone)
  const from = Date.UTC(1901, 0)
  fc.assert(
    fc.property(fc.integer({ min: from, max: Date.UTC(2040, 0) }), (at) => {
      expect(clock(at)).toBe(wallClock(at, zone))
    }),
    { numRuns: 300 },
  )
})

test.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca'])(
  'to the second where the clock of %s changes',
  (zone) => {
    const clock = createZoneClock(zone)
    const hour = 3_600_000
    let changes = 0
    for (let at = Date.UTC(2024, 0); at < Date.UTC(2026, 0); at += hour) {
      const isChange = wallClock(at + hour, zone) - wallClock(at, zone) !== hour
      if (!isChange) continue
      changes += 1
      for (let second = 0; second <= 3600; second += 1)
        expect(clock(at + second * 1000)).toBe(wallClock(at + second * 1000, zone))
    }
    expect(changes).toBe(4)
  },
)

test('a clock that is kept answers as a new one does, and keeps no more weeks and zones than it may', () => {
  const weeks = new Map<number, number>()
  const clock = createZoneClock('Europe/Berlin', weeks)
  const week = 7 * 86_400_000
  for (let number = 0; number < mostWeeks + 500; number += 1) {
    const at = Date.UTC(1990, 0) + number * week
    expect(clock(at)).toBe(wallClock(at, 'Europe/Berlin'))
    expect(zoneClock('Europe/Berlin')(at)).toBe(clock(at))
  }
  expect(weeks.size).toBe(mostWeeks)
  const names = Intl.supportedValuesOf('timeZone').slice(0, mostZones + 5)
  const first = zoneClock(names[0] ?? '')
  expect(zoneClock(names[0] ?? '')).toBe(first)
  for (const name of names) expect(zoneClock(name)(0)).toBe(wallClock(0, name))
  expect(zoneClock(names[0] ?? '')).not.toBe(first)
})
