import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { remindOfMeetings, watchedTogether } from '../../src/social/meetings/watched'
import {
  answer,
  answersNow,
  azusa,
  hour,
  inHours,
  kiroku,
  lastMeeting,
  mio,
  openClub,
  pass,
  plan,
  planned,
  ritsu,
  rows,
  told,
} from '../support/club'
import { personOf } from '../support/people'
import { createVisitor, type Visitor } from '../support/visitor'

beforeEach(openClub)
afterEach(() => kiroku.close())

describe('a date to watch together (D79)', () => {
  test('is linked from a work, offers the next episode on Friday at 21:00, and tells those who are asked', async () => {
    expect((await mio.open('/works/1')).text).toContain('href="/works/1/meeting"')
    const { text } = await mio.open('/works/1/meeting')
    expect(text).toContain('name="time" value="21:00"')
    const date = /name="date" value="([^"]+)"/.exec(text)?.[1] ?? ''
    expect(new Date(`${date}T00:00:00Z`).getUTCDay()).toBe(5)
    expect((await plan()).location).toBe(`/meetings/${lastMeeting()}`)
    expect(answersNow()).toEqual([
      { user_id: 1, answer: 'in', marks_too: 0 },
      { user_id: 2, answer: null, marks_too: 0 },
      { user_id: 4, answer: null, marks_too: 0 },
    ])
    expect([told(1), told(2), told(4)]).toEqual([[], ['asked'], ['asked']])
    const page = (await ritsu.open(`/meetings/${lastMeeting()}`)).text
    for (const shown of ['Episode 2, together', '#room', 'in 24 hours', 'data-act="meeting_answer"'])
      expect(page).toContain(shown)
    expect((await ritsu.open('/notifications')).text).toContain('<b>mio</b> asks you to watch')
    expect(
      (await (await personOf(kiroku, 'Ritsu_T')).json('/v1/me/notifications')).notifications[0],
    ).toMatchObject({
      ...{ action: 'meeting', user: { username: 'mio' }, work: { id: 1 }, episode: null },
    })
    expect((await ritsu.open('/')).text).toContain(`href="/meetings/${lastMeeting()}"`)
  })

  test('refuses what breaks a rule, keeps what was typed, and writes nothing', async () => {
    const refusals: [Readonly<Record<string, string>>, string][] = [
      [inHours(-1), 'The time must be in the future.'],
      [inHours(401 * 24), 'The time must be at most 400 days ahead.'],
      [{ count: '25' }, 'How many: '],
      [{ count: '24' }, 'The work has fewer episodes'],
      [{ time: 'late' }, 'Time: '],
      [{ date: '2026-02-30' }, 'Day: '],
      [{ place: '所'.repeat(201) }, 'Where (optional): '],
      [{ text: '文'.repeat(1001) }, 'Anything else? (optional): '],
      [{ people: 'nobody' }, 'There is nobody called nobody whom you can ask.'],
    ]
    for (const [typed, why] of refusals) {
      const refused = await plan({ place: 'keep this', ...typed })
      expect([why, refused.status]).toEqual([why, 422])
      expect(refused.text).toContain(why)
      if (!('place' in typed)) expect(refused.text).toContain('value="keep this"')
    }
    expect((await plan({ episode_id: '999999' })).status).toBe(404)
    expect(rows('select id from meetings')).toEqual([])
    expect(rows('select id from notifications where meeting_id is not null')).toEqual([])
  })

  test('is seen by those who are named, or if it is for all by members who see its host; by nobody with a block', async () => {
    kiroku.store.handle.run("update users set privacy = 'private' where id = 1")
    const seen = async (who: Visitor) => (await who.open(`/meetings/${lastMeeting()}`)).status
    await plan({ people: 'azusa' })
    expect([
      await seen(mio),
      await seen(azusa),
      await seen(ritsu),
      await seen(createVisitor(kiroku)),
    ]).toEqual([200, 200, 404, 303])
    expect((await ritsu.open('/works/1/meeting')).text).not.toContain('Already planned')
    await plan({ people: '', for: 'all' })
    expect([await seen(azusa), await seen(ritsu)]).toEqual([404, 404])
    kiroku.store.handle.run("update users set privacy = 'members' where id = 1")
    expect([await seen(azusa), await seen(ritsu)]).toEqual([200, 200])
    expect((await ritsu.open('/works/1/meeting')).text).toContain('Already planned')
    await plan({ people: 'azusa' })
    expect([await seen(azusa), await seen(ritsu)]).toEqual([200, 404])
    await plan({ people: 'Ritsu_T' })
    kiroku.store.handle.run('insert into blocks (user_id, blocked_id, created_at) values (1, 2, 1)')
    expect(await seen(ritsu)).toBe(404)
    expect((await ritsu.open('/notifications')).text).not.toContain('to watch')
    expect((await plan({ people: 'Ritsu_T' })).status).toBe(422)
  })

  test('is answered by one press, and the box agrees beforehand; who is out agrees to nothing', async () => {
    await plan()
    await answer(ritsu, 'in', '1')
    await answer(azusa, 'maybe')
    expect(answersNow().slice(1)).toEqual([
      { user_id: 2, answer: 'in', marks_too: 1 },
      { user_id: 4, answer: 'maybe', marks_too: 0 },
    ])
    await answer(ritsu, 'out', '1')
    expect(answersNow()[1]).toEqual({ user_id: 2, answer: 'out', marks_too: 0 })
    expect(rows('select read_at from notifications where user_id = 2 and meeting_id is not null')).toEqual([
      { read_at: kiroku.clock.now },
    ])
  })

  test('takes 30 people and 20 dates to come, and no more', async () => {
    await plan({ people: '', for: 'all' })
    const { handle } = kiroku.store
    const id = lastMeeting()
    for (let n = 0; n < 29; n++) {
      const user = 1000 + n
      handle.run(
        `insert into users (id, username, username_key, name, email, password_hash, created_at) values (?1, 'p' || ?1, 'p' || ?1, '', 'p' || ?1, '', 1)`,
        [user],
      )
      if (n < 28)
        handle.run(`insert into meeting_people (meeting_id, user_id, answer) values (?, ?, 'in')`, [id, user])
    }
    await answer(ritsu, 'in')
    expect(answersNow()).toHaveLength(30)
    await answer(azusa, 'in')
    expect(answersNow()).toHaveLength(30)
    expect((await azusa.open('/')).text).toContain('There are 30 people already')
    // Who is in it goes on answering.
    await answer(ritsu, 'maybe')
    expect(answersNow()[1]).toMatchObject({ user_id: 2, answer: 'maybe' })
    const many = Array.from({ length: 29 }, (_, n) => `p${1000 + n}`)
    expect((await plan({ people: [...many, 'azusa'].join(' ') })).text).toContain(
      'At most 30 people can come',
    )
    expect((await plan({ people: many.join('、') })).status).toBe(303)
    for (let n = 2; n < 20; n++) expect((await plan()).status).toBe(303)
    const refused = await plan()
    expect([refused.status, rows('select id from meetings')]).toEqual([
      422,
      expect.objectContaining({ length: 20 }),
    ])
    expect(refused.text).toContain('You can have 20 dates to come.')
    // Cancelling makes no room: nobody is asked again and again. Their time does.
    await mio.submit(`/meetings/${lastMeeting()}/cancel`)
    expect((await plan()).status).toBe(422)
    pass()
    expect((await plan()).status).toBe(303)
  })

  test('tells those who come an hour before, once, and again if it was moved', async () => {
    await plan()
    await answer(ritsu, 'in')
    await answer(azusa, 'out')
    await remindOfMeetings(kiroku.deps)
    expect(told(2)).toEqual(['asked'])
    kiroku.clock.now += 23 * hour + 60_000
    for (let time = 0; time < 2; time++) await remindOfMeetings(kiroku.deps)
    expect([told(1), told(2), told(4)]).toEqual([['soon'], ['asked', 'soon'], ['asked']])
    expect((await ritsu.open('/notifications')).text).toContain('Begins soon: ')
    await mio.submit(
      `/meetings/${lastMeeting()}/edit`,
      { ...inHours(30), place: '', text: '' },
      '/meetings/change',
    )
    expect([told(1), told(2)]).toEqual([[], ['asked', 'moved']])
    kiroku.clock.now += 29 * hour + 60_000
    await remindOfMeetings(kiroku.deps)
    expect([told(1), told(2), told(4)]).toEqual([['soon'], ['asked', 'moved', 'soon'], ['asked']])
  })

  test('its host alone changes and cancels it; then it is closed', async () => {
    await plan()
    await answer(ritsu, 'in')
    const id = lastMeeting()
    for (const page of ['edit', 'cancel'])
      expect((await ritsu.open(`/meetings/${id}/${page}`)).status).toBe(404)
    const csrf = /name="csrf" value="([^"]+)"/.exec((await ritsu.open('/')).text)?.[1] ?? ''
    expect(
      (await ritsu.post('/meetings/change', { csrf, meeting_id: String(id), ...planned() })).status,
    ).toBe(404)
    expect((await ritsu.post(`/meetings/${id}/cancel`, { csrf })).status).toBe(404)
    const refused = await mio.submit(
      `/meetings/${id}/edit`,
      { ...inHours(-1), place: '新しい', text: '' },
      '/meetings/change',
    )
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('value="新しい"')])
    await mio.submit(
      `/meetings/${id}/edit`,
      { ...inHours(24), place: '新しい', text: 'ひとこと' },
      '/meetings/change',
    )
    expect(rows('select location, body from meetings')).toEqual([{ location: '新しい', body: 'ひとこと' }])
    // The same time is no news.
    expect(told(2)).toEqual(['asked'])
    await mio.submit(`/meetings/${id}/cancel`)
    expect(told(2)).toEqual(['asked', 'cancelled'])
    const { text } = await ritsu.open(`/meetings/${id}`)
    expect(text).toContain('This date was cancelled.')
    expect(text).not.toContain('meeting_answer')
    expect(
      (await ritsu.post('/meetings/answer', { csrf, meeting_id: String(id), answer: 'out' })).status,
    ).toBe(303)
    expect(answersNow()[1]).toMatchObject({ answer: 'in' })
    pass()
    expect(await watchedTogether(kiroku.deps, 2, id)).toBe('apart')
    expect(rows('select 1 from records where created_at = ?', kiroku.clock.now)).toEqual([])
  })
})
