import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { instantOf, isTimeZone, localTime, wallClock } from '../../src/lib/local-time'
import { messagesIn } from '../../src/messages/languages'
import { readerTime } from '../../src/pages/local-format'
import { moment, type TimeStyle, timeMarkup } from '../../src/pages/moment'
import { type DatePrecision, partialDate, watchedTime } from '../../src/pages/partial-date'
import { defaultPreferences, type Preferences } from '../../src/pages/preferences'

/** A Thursday, at 21:00 in Tokyo. */
const now = Date.UTC(2026, 4, 14, 12)
const hour = 3_600_000
const day = 24 * hour

const reader = (language: 'en' | 'ja', preferences: Partial<Preferences> = {}) => ({
  t: messagesIn(language),
  now,
  preferences: { ...defaultPreferences(language), timeZone: 'Asia/Tokyo', ...preferences },
})

const textOf = ({ text }: { readonly text: string }) => text.replace(/<[^>]+>/g, '')

describe('when an episode airs', () => {
  test.each([
    ['ja', 2 * hour, 'when', '今夜 23:00'],
    ['ja', 3 * hour + 26 * 60_000, 'when', '今夜 24:26'],
    ['ja', 27 * hour, 'when', '明日 24:00'],
    ['ja', -11 * hour, 'when', '今日 10:00'],
    ['ja', -hour, 'when', '今日 20:00'],
    ['ja', -day, 'when', '昨日 21:00'],
    ['ja', 2 * day - 3 * hour, 'when', '土曜 18:00'],
    ['ja', 7 * day, 'when', '5月21日 21:00'],
    ['ja', 365 * day, 'when', '2027年5月14日 21:00'],
    ['ja', 5 * hour, 'clock', '26:00'],
    ['ja', -day, 'since', '昨日から'],
    ['ja', -hour, 'since', '今日から'],
    ['ja', -3 * day, 'since', '月曜から'],
    ['ja', -8 * day, 'since', '5月6日から'],
    ['ja', -365 * day, 'since', '2025年5月14日から'],
    ['en', 2 * hour, 'when', 'tonight 23:00'],
    ['en', 4 * hour, 'when', 'tomorrow 1:00'],
    ['en', 2 * day, 'when', 'Sat 21:00'],
    ['en', -5 * day, 'when', '9 May, 21:00'],
    ['en', -3 * day, 'since', 'since Monday'],
  ] as const)('in %s, %d ms from now, as %s: %s', (language, away, style: TimeStyle, expected) => {
    expect(textOf(timeMarkup(reader(language), now + away, style))).toBe(expected)
  })

  test("is exact on hover, in the reader's zone", () => {
    expect(timeMarkup(reader('ja'), now).text).toContain('title="2026-05-14 21:00:00 Asia/Tokyo"')
  })

  test('says UTC while the zone is unknown', () => {
    expect(textOf(timeMarkup(reader('en', { timeZone: 'UTC' }), now))).toBe('today 12:00 UTC')
    expect(textOf(moment(reader('en', { timeZone: 'UTC' }), now))).toBe('today at 12:00 UTC')
  })

  test('a time of an account is shown likewise', () => {
    expect(textOf(moment(reader('en'), now - day))).toBe('yesterday at 21:00')
    expect(textOf(moment(reader('en'), now - 4 * day))).toBe('10 May 2026, 21:00')
    expect(textOf(moment(reader('en'), null, 'never'))).toBe('never')
  })
})

// Clocks are put forward and back at several hours of the night: at 1:00, 2:00 and 3:00, at midnight, by half an hour.
const zones = [
  ...[
    'Asia/Tokyo',
    'Europe/Berlin',
    'America/New_York',
    'America/Sao_Paulo',
    'Australia/Lord_Howe',
    'Asia/Beirut',
  ],
  ...['Europe/London', 'America/Asuncion', 'Pacific/Apia', 'Asia/Kathmandu'],
]

test('with long nights, an hour before six belongs to the evening before, and otherwise never (D82)', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.constantFrom(...zones), (at, timeZone) => {
      const long = readerTime(reader('ja', { timeZone }), at)
      const short = readerTime(reader('ja', { timeZone, hasLongNights: false }), at)
      const isLate = short.hour < 6
      expect(short.dayNumber - long.dayNumber).toBe(isLate ? 1 : 0)
      const minute = String(short.minute).padStart(2, '0')
      expect([short.clock, long.clock]).toEqual([
        `${short.hour}:${minute}`,
        `${short.hour + (isLate ? 24 : 0)}:${minute}`,
      ])
    }),
  )
})

describe('partly known times', () => {
  test.each([
    ['ja', '2016', '2016年'],
    ['ja', '2016-03', '2016年3月'],
    ['ja', '2016-03-05', '2016年3月5日'],
    ['en', '2016', '2016'],
    ['en', '2016-03', 'March 2016'],
    ['en', '2016-03-05', '5 March 2016'],
    ['en', '2016-13', '2016-13'],
    ['en', '<b>', '&#60;b&#62;'],
  ] as const)('in %s: %s is %s', (language, text, expected) => {
    expect(textOf(partialDate(reader(language), text))).toBe(expected)
  })

  test.each([
    ['time', 'today 21:00'],
    ['day', '14 May 2026'],
    ['month', 'May 2026'],
    ['year', '2026'],
    ['none', 'date unknown'],
  ] as const)('a viewing by %s: %s', (precision: DatePrecision, expected) => {
    const markup = watchedTime(reader('en'), now, precision)
    expect(textOf(markup)).toBe(expected)
  })
})

test('a viewing on a day is on that day in every zone', () => {
  const noon = Date.UTC(2016, 2, 5, 12)
  for (const timeZone of ['Pacific/Auckland', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const { preferences, ...rest } = reader('ja')
    const markup = watchedTime({ ...rest, preferences: { ...preferences, timeZone } }, noon, 'day')
    expect([timeZone, textOf(markup)]).toEqual([timeZone, '2016年3月5日'])
  }
})

describe('the wall clock', () => {
  const zones = [
    'UTC',
    'Asia/Tokyo',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
  ]

  test('is converted back to its instant, the first of two', () => {
    const instants = fc.integer({ min: 0, max: 2e12 })
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (at, zone) => {
        const wall = wallClock(at, zone)
        const found = instantOf(wall, zone)
        expect(wallClock(found, zone)).toBe(wall)
        expect(found).toBeLessThanOrEqual(at)
      }),
    )
  })

  test('converts a skipped hour to the one after it', () => {
    const wall = Date.UTC(2026, 2, 29, 2, 30)
    expect(new Date(instantOf(wall, 'Europe/Berlin')).toISOString()).toBe('2026-03-29T01:30:00.000Z')
  })

  test('knows the weekday', () => {
    expect(localTime(now, 'Asia/Tokyo')).toMatchObject({ hour: 21, weekday: 4, dayNumber: 20587 })
  })

  test('a zone is accepted only if it exists, and nothing else is looked up', () => {
    for (const zone of [...zones, 'Etc/GMT+9']) expect([zone, isTimeZone(zone)]).toEqual([zone, true])
    for (const zone of ['', 'Mars/Base', '../etc', `A${'a'.repeat(70)}`, 'Asia/Tokyo ', '+09:00'])
      expect([zone, isTimeZone(zone)]).toEqual([zone, false])
  })
})
