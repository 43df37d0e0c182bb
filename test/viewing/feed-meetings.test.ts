import { afterAll, expect, test } from 'bun:test'
import ICAL from 'ical.js'
import { createFeed } from '../../src/accounts/calendar-feeds'
import { createCalendar, hour, now } from '../support/calendar'

const { kiroku, handle, reset } = await createCalendar()
const work = 500
const day = 24 * hour
afterAll(kiroku.close)

async function events() {
  const usual = { userId: 1, name: 'Phone', wanted: true, alarm: null, withRule: true } as const
  const words = { language: 'en', titleLanguage: 'native', timeZone: 'Asia/Tokyo' } as const
  const { secret } = await createFeed({ ...kiroku.deps, now: () => now }, { ...usual, ...words })
  const text = await (await kiroku.ask(`/feeds/${secret}.ics`)).text()
  handle.run('delete from feeds')
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((one) => {
    const event = new ICAL.Event(one)
    const status = String(one.getFirstPropertyValue('status'))
    const start = event.startDate.toJSDate().toISOString()
    return {
      uid: event.uid,
      summary: event.summary,
      sequence: event.sequence,
      location: event.location,
      start,
      status,
    }
  })
}

test('the calendar of a feed has what one said yes to watch together, with where; cancelled for 14 days (D79)', async () => {
  reset()
  const [{ id } = { id: 0 }] = handle
    .query<{ id: number }, (number | string)[]>(
      `insert into meetings (user_id, work_id, begins_at, location, body, is_open, created_at, changed_at)
       values (1, ?, ?, 'room; #1', '', 0, ?, ?) returning id`,
    )
    .all(work, now + day, now, now)
  handle.run('insert into meeting_episodes select ?, id from episodes where work_id = ? and number = 2', [
    id,
    work,
  ])
  const ofMeeting = async () => (await events()).find(({ uid }) => uid.startsWith('meeting-'))
  const say = (answer: string) =>
    handle.run(
      'insert or replace into meeting_people (meeting_id, user_id, answer, answered_at) values (?, 1, ?, ?)',
      [id, answer, now],
    )
  for (const answer of ['maybe', 'out']) {
    say(answer)
    expect([answer, await ofMeeting()]).toEqual([answer, undefined])
  }
  say('in')
  const found = await ofMeeting()
  expect(found).toMatchObject({
    uid: `meeting-${id}@localhost`,
    status: 'CONFIRMED',
    location: 'room; #1',
  })
  expect([found?.start, found?.summary.includes('Ep. 2')]).toEqual([new Date(now + day).toISOString(), true])
  handle.run('update meetings set cancelled_at = ?1, changed_at = ?1', [now + 5000])
  kiroku.clock.now = now + 5000
  const cancelled = await ofMeeting()
  expect([cancelled?.uid, cancelled?.status]).toEqual([found?.uid, 'CANCELLED'])
  expect(cancelled?.sequence).toBe((found?.sequence ?? 0) + 5)
  kiroku.clock.now = now + 15 * day
  expect(await ofMeeting()).toBeUndefined()
  kiroku.clock.now = now
  handle.run('delete from meetings')
})
