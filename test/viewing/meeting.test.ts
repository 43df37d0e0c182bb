import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { finishMarking, remindOfMeetings, watchedTogether } from '../../src/social/meetings/watched'
import { createInstance, type Instance } from '../support/instance'
import { personOf } from '../support/people'
import { createMember, createVisitor, type Visitor } from '../support/visitor'

// mio (1) is the host, Ritsu_T (2) and azusa (4) come. Work 1 has the episodes 1 to 4.
let kiroku: Instance
let mio: Visitor
let ritsu: Visitor
let azusa: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  kiroku.store.handle.run(
    "update users set time_zone = 'Asia/Tokyo', has_long_nights = 0, guards_spoilers = 1",
  )
  mio = await createMember(kiroku, 'mio')
  ritsu = await createMember(kiroku, 'Ritsu_T')
  azusa = await createMember(kiroku, 'azusa')
})
afterEach(() => kiroku.close())

type Row = Record<string, unknown>
const rows = (sql: string, ...values: (string | number)[]) =>
  kiroku.store.handle.query<Row, (string | number)[]>(sql).all(...values)

const hour = 3_600_000
/** A day and a time in Tokyo, so many hours from now. */
function inHours(hours: number) {
  const [date = '', time = ''] = new Date(kiroku.clock.now + (hours + 9) * hour)
    .toISOString()
    .slice(0, 16)
    .split('T')
  return { date, time }
}
const planned = (more: Readonly<Record<string, string>> = {}) => ({
  ...{ episode_id: '2', count: '1', ...inHours(24), place: '#room', text: '', for: 'named' },
  ...{ people: 'Ritsu_T azusa' },
  ...more,
})
const plan = (more?: Readonly<Record<string, string>>, by = mio) =>
  by.submit('/works/1/meeting', planned(more), '/meetings')
const lastMeeting = () => Number(rows('select max(id) as id from meetings')[0]?.id)
const answer = (who: Visitor, answered: string, marksToo = '0', id = lastMeeting()) =>
  who.submit(`/meetings/${id}`, { answer: answered, marks_too: marksToo }, '/meetings/answer')
const press = (who: Visitor, id = lastMeeting()) => who.submit(`/meetings/${id}`, {}, '/meetings/done')
const told = (user: number) =>
  rows(
    'select meeting_step as step from notifications where user_id = ? and meeting_id is not null order by id',
    user,
  ).map(({ step }) => step)
const answersNow = () =>
  rows(
    'select user_id, answer, marks_too from meeting_people where meeting_id = ? order by user_id',
    lastMeeting(),
  )
const recordsOf = (user: number) =>
  rows(
    'select episode_id, watched_at, watched_at_precision from records where user_id = ? and created_at = ?',
    user,
    kiroku.clock.now,
  )
/** It has begun. */
const pass = () => {
  kiroku.clock.now += 24 * hour + 60_000
}

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

describe('“We watched it” (D79)', () => {
  /** mio and Ritsu_T agreed, azusa did not. */
  async function begun() {
    await plan()
    await answer(mio, 'in', '1')
    await answer(ritsu, 'in', '1')
    await answer(azusa, 'in')
    pass()
    return lastMeeting()
  }

  test('is for who is in, after the time, once', async () => {
    await plan()
    const id = lastMeeting()
    await answer(ritsu, 'maybe', '1')
    expect(await watchedTogether(kiroku.deps, 1, id)).toBe('early')
    expect((await mio.open(`/meetings/${id}`)).text).not.toContain('meeting_done')
    pass()
    expect(await watchedTogether(kiroku.deps, 2, id)).toBe('apart')
    const both = await Promise.all([1, 1].map((who) => watchedTogether(kiroku.deps, who, id)))
    expect(both.toSorted()).toEqual(['before', 'done'])
    // Maybe is no agreement.
    expect(recordsOf(2)).toEqual([])
    expect(told(2)).toEqual(['asked', 'watched'])
  })

  test('records it for those who agreed, at its time, by an act of their own with its undo; the others are asked', async () => {
    const id = await begun()
    const { begins_at } = rows('select begins_at from meetings')[0] ?? {}
    expect((await mio.open(`/meetings/${id}`)).text).toContain(
      'Records episode 2 for you and Ritsu_T, who agreed to it.',
    )
    await press(mio)
    const record = { episode_id: 2, watched_at: begins_at, watched_at_precision: 'time' }
    expect([recordsOf(1), recordsOf(2), recordsOf(4)]).toEqual([[record], [record], []])
    expect(rows('select user_id, kind, count from acts order by user_id')).toEqual([
      { user_id: 1, kind: 'record', count: 1 },
      { user_id: 2, kind: 'record', count: 1 },
    ])
    expect([told(1), told(2), told(4)]).toEqual([[], ['asked'], ['asked', 'watched']])
    const page = (await ritsu.open(`/meetings/${id}`)).text
    expect(page.match(/marked too/g)).toHaveLength(2)
    expect(page).not.toContain('meeting_done')
    // The ✓ of the notification records it.
    const notice = await azusa.open('/notifications')
    expect(notice.text).toContain('Did you, too?')
    await azusa.submit('/notifications', { episode_id: '2' }, '/record')
    expect(recordsOf(4)).toHaveLength(1)
    // Everyone undoes their own.
    const [{ id: act } = {}] = rows('select id from acts where user_id = 2')
    await ritsu.submit('/settings/history', { act_id: String(act) }, '/undo')
    expect([recordsOf(1).length, recordsOf(2).length]).toEqual([1, 0])
    expect((await ritsu.open(`/meetings/${id}`)).text.match(/marked too/g)).toHaveLength(1)
  })

  test('of several episodes records those that are open, and leaves alone who recorded all of them', async () => {
    const handle = kiroku.store.handle
    handle.run('delete from records')
    await plan({ count: '2' })
    const ids = rows('select episode_id from meeting_episodes').map(({ episode_id }) => episode_id)
    expect(ids).toHaveLength(2)
    const insert =
      'insert into records (user_id, work_id, episode_id, watched_at, created_at) values (?, 1, ?, 1, 1)'
    handle.run(insert, [1, ids[0] as number])
    for (const id of ids) handle.run(insert, [2, id as number])
    await answer(mio, 'in', '1')
    await answer(ritsu, 'in', '1')
    pass()
    await press(mio)
    expect(recordsOf(1).map(({ episode_id }) => episode_id)).toEqual([ids[1]])
    expect(recordsOf(2)).toEqual([])
    expect(rows('select user_id from acts')).toEqual([{ user_id: 1 }])
  })

  test('goes on where it was killed, and nobody is recorded twice', async () => {
    const id = await begun()
    const { deps } = kiroku
    let writes = 0
    class Killed extends Error {}
    const dying = {
      ...deps,
      write: ((...given: Parameters<typeof deps.write>) => {
        if (++writes === 3) throw new Killed()
        return deps.write(...given)
      }) as typeof deps.write,
    }
    await expect(watchedTogether(dying, 1, id)).rejects.toThrow(Killed)
    expect([recordsOf(1).length, recordsOf(2).length]).toEqual([1, 0])
    await Promise.all([finishMarking(deps), finishMarking(deps)])
    expect([recordsOf(1).length, recordsOf(2).length]).toEqual([1, 1])
    expect(rows('select marks_open from meetings')).toEqual([{ marks_open: 0 }])
    await remindOfMeetings(deps)
    expect([recordsOf(1).length, recordsOf(2).length]).toEqual([1, 1])
  })

  test('gives nothing to who was disabled meanwhile, and stays private for who prefers that', async () => {
    kiroku.store.handle.run('update users set private_by_default = 1 where id = 2')
    const id = await begun()
    kiroku.store.handle.run('update users set disabled_at = 1 where id = 1')
    expect(await watchedTogether(kiroku.deps, 2, id)).toBe('done')
    expect([recordsOf(1).length, recordsOf(2).length]).toEqual([0, 1])
    expect(
      rows('select private from records where user_id = 2 and created_at = ?', kiroku.clock.now),
    ).toEqual([{ private: 1 }])
  })

  test('is one entry in the activity, which names those whose record its reader may see', async () => {
    await begun()
    const { handle } = kiroku.store
    handle.run('delete from activities')
    await press(mio)
    const entries = async (who: Visitor) => {
      const { text } = await who.open('/activity/everyone')
      return [...text.matchAll(/<article class="told"[\s\S]*?<\/article>/g)]
        .map(([one]) => one)
        .filter((one) => one.includes('watched episode 2') || one.includes('recorded episode 2'))
    }
    const [one = '', ...more] = await entries(azusa)
    expect(more).toEqual([])
    expect(one).toMatch(/2 people together/)
    for (const name of ['mio', 'Ritsu_T']) expect(one).toContain(`/@${name}`)
    handle.run('update records set private = 1 where user_id = 2')
    const [alone = '', ...others] = await entries(azusa)
    expect([others, alone.includes('/@Ritsu_T'), alone.includes('/@mio')]).toEqual([[], false, true])
    expect(alone).not.toContain('people together')
  })

  test('leads to the next date: the next episode, a week later, for the same people; once', async () => {
    const id = await begun()
    const [{ begins_at } = {}] = rows('select begins_at from meetings')
    await press(ritsu)
    const again = () => ritsu.submit(`/meetings/${id}`, {}, '/meetings/again')
    expect((await ritsu.open(`/meetings/${id}`)).text).toContain('Same again, next episode: ')
    const { location } = await again()
    expect(location).toBe(`/meetings/${lastMeeting()}`)
    expect(
      rows('select user_id, begins_at, location, after_id from meetings where id = ?', lastMeeting()),
    ).toEqual([{ user_id: 2, begins_at: Number(begins_at) + 7 * 24 * hour, location: '#room', after_id: id }])
    expect(rows('select episode_id from meeting_episodes where meeting_id = ?', lastMeeting())).toEqual([
      { episode_id: 3 },
    ])
    // Nobody has agreed to anything yet.
    expect(answersNow()).toEqual([
      { user_id: 1, answer: null, marks_too: 0 },
      { user_id: 2, answer: 'in', marks_too: 0 },
      { user_id: 4, answer: null, marks_too: 0 },
    ])
    const csrf = /name="csrf" value="([^"]+)"/.exec((await mio.open('/')).text)?.[1] ?? ''
    expect((await mio.post('/meetings/again', { csrf, meeting_id: String(id) })).location).toBe(location)
    expect((await ritsu.open(`/meetings/${id}`)).text).toContain('The next date')
  })

  test('folds what was said after it for who has not recorded it, who can open it', async () => {
    const id = await begun()
    const say = (who: Visitor, body: string) => who.submit(`/meetings/${id}`, { body }, '/comments')
    await say(ritsu, '少し遅れます')
    expect(rows('select owner_id, meeting_id from comments where meeting_id is not null')).toEqual([
      { owner_id: 1, meeting_id: id },
    ])
    await press(mio)
    kiroku.clock.now += 60_000
    await say(ritsu, '犯人は…')
    const page = (await azusa.open(`/meetings/${id}`)).text
    expect(page).toContain('少し遅れます')
    expect(page).not.toContain('犯人は')
    expect(page).toContain('1 line after the episode')
    expect((await azusa.open(`/meetings/${id}?spoilers=show`)).text).toContain('犯人は')
    expect((await mio.open(`/meetings/${id}`)).text).toContain('犯人は')
    // What was refused keeps its text; the host may delete.
    const long = await say(azusa, '長'.repeat(1001))
    expect([long.status, long.text]).toEqual([422, expect.stringContaining('長'.repeat(1001))])
    const [{ comment } = {}] = rows('select max(id) as comment from comments')
    await mio.submit(`/meetings/${id}`, { comment_id: String(comment) }, '/comments/delete')
    expect((await mio.open(`/meetings/${id}`)).text).not.toContain('犯人は')
  })
})
