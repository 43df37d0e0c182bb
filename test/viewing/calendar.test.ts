import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { at, createCalendar, daysIn, hour, now } from '../support/calendar'
import { createVisitor } from '../support/visitor'

const { kiroku, made, mio, prefer, reset, open } = await createCalendar()
const work = 500
afterAll(kiroku.close)
beforeEach(reset)

describe('the week (D82)', () => {
  test('has a night in the evening’s day with the 30-hour clock, else in its own', async () => {
    made.program(work, 1, at('2026-11-18T05:59:00'))
    made.program(work, 2, at('2026-11-18T06:00:00'))
    made.program(work, 3, at('2026-11-19T00:30:00'))
    expect(daysIn(await open())).toEqual({
      '2026-11-17': ['29:59 500 500001 listed'],
      '2026-11-18': ['6:00 500 500002 listed', '24:30 500 500003 listed'],
    })
    prefer({ has_long_nights: 0 })
    expect(daysIn(await open())).toEqual({
      '2026-11-18': ['5:59 500 500001 listed', '6:00 500 500002 listed'],
      '2026-11-19': ['0:30 500 500003 listed'],
    })
  })

  test.each([
    [0, '2026-11-15', '2026-11-21'],
    [1, '2026-11-16', '2026-11-22'],
    [6, '2026-11-14', '2026-11-20'],
  ])('begins on weekday %i, around the Thursday of its ISO week', async (week_start, first, last) => {
    prefer({ week_start })
    made.program(work, 1, at('2026-11-19T23:00:00'))
    for (const text of [await open(), await open('/calendar/2026-W47')]) {
      const days = [...text.matchAll(/data-day="([^"]+)"/g)].map(([, day]) => day)
      expect([days.length, days[0], days[6]]).toEqual([7, first, last])
      expect(text).toContain('rel="next" data-keys="]"')
      expect(text).toContain('/calendar/2026-W48')
      expect(text).toMatch(/data-day="2026-11-19"[^>]*aria-current="date"/)
    }
  })

  test.each([0, 1, 6])('goes from week 53 to week 1 at weekday %i', async (week_start) => {
    prefer({ week_start })
    expect(await open('/calendar/2026-W53')).toContain('Week 53, 2026')
    expect(await open('/calendar/2026-W53')).toContain('/calendar/2027-W01')
    expect(await open('/calendar/2027-W01')).toContain('Week 1, 2027')
    expect((await mio.open('/calendar/2027-W53')).status).toBe(404)
  })
})

test.each([
  ...[
    '2026-02-30',
    '2026-13',
    '2026-00',
    '2026-W00',
    '2026-W54',
    '2026-11-1',
    'today',
    '2026',
    '2026-11-19T00',
  ],
  ...['2026-08-20', '2027-12-25', '2026-07', '2028-01', '1900-W01'],
])('/calendar/%s is not found: it does not exist, or is too far away', async (name) => {
  expect((await mio.open(`/calendar/${name}`)).status).toBe(404)
})

test('90 days back and 400 ahead are found, for members', async () => {
  for (const name of ['2026-08-21', '2027-12-24', '2026-08', '2027-12', '2026-W34', '2027-W51'])
    expect([name, (await mio.open(`/calendar/${name}`)).status]).toEqual([name, 200])
  const { status, location } = await createVisitor(kiroku).open('/calendar/2026-11')
  expect([status, location]).toEqual([303, '/sign_in?return_to=%2Fcalendar%2F2026-11'])
})

test('a day has the list of a phone, and the days around it', async () => {
  made.program(work, 1, at('2026-11-20T20:00:00'))
  const text = await open('/calendar/2026-11-20')
  expect(daysIn(text)).toEqual({ '2026-11-20': ['20:00 500 500001 listed'] })
  expect(text).toContain('<h1>20 November 2026</h1>')
  expect(text).toMatch(
    /href="\/calendar\/2026-11-19" rel="prev"[\s\S]*href="\/calendar\/2026-11-21" rel="next"/,
  )
})

test('a month has four lines a day at most, then the way to the day', async () => {
  for (let n = 1; n <= 6; n++) made.program(work, n, at('2026-11-20T20:00:00') + n * 60_000)
  made.program(work, 7, at('2026-12-01T20:00:00'))
  made.record(1, work, 1, now)
  const text = await open('/calendar/2026-11')
  expect(text).toContain('<h1>November 2026</h1>')
  expect([...text.matchAll(/<td data-day/g)]).toHaveLength(42)
  expect(text).toMatch(/data-day="2026-11-19"[^>]*aria-current="date"/)
  const [cell = ''] = /<td data-day="2026-11-20"[\s\S]*?<\/td>/.exec(text) ?? []
  expect(cell.split('data-entry')).toHaveLength(4)
  expect(cell).toContain('href="/calendar/2026-11-20" aria-label="3 more on 20 Nov">+3</a>')
  expect(cell).toMatch(/recorded<\/span>/)
  expect(/<td data-day="2026-12-01" class="other"[\s\S]*?<\/td>/.exec(text)?.[0]).toContain('data-entry')
  // On a phone, the chosen day's list is below.
  const [, list = ''] = text.split('id="day"')
  expect(list).toContain('data-day="2026-11-19"')
  expect((await open('/calendar/2026-11?day=2026-11-20')).split('id="day"')[1]).toContain(
    'data-day="2026-11-20"',
  )
})

test('a page of a full week and of a full month of all works has at most 50 KB (D121)', async () => {
  for (let id = 800; id < 880; id++) {
    made.work(id, {
      title: `とても長い題名のアニメーション作品 第${id}期`,
      season_year: 2026,
      season: 'autumn',
    })
    made.episodes(id, 12)
    made.status(1, id)
    for (let n = 1; n <= 5; n++)
      made.program(id, n, at('2026-10-26T20:00:00') + (n - 1) * 7 * 24 * hour + (id - 800) * 100 * 60_000)
  }
  for (const path of [
    '/calendar',
    '/calendar?of=all',
    '/calendar/2026-11',
    '/calendar/2026-11?of=all',
    '/calendar/2026-11-19',
  ])
    expect([path, Math.max(50_000, Buffer.byteLength((await mio.open(path)).text))]).toEqual([path, 50_000])
})
