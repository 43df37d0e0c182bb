import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { finishMarking, remindOfMeetings, watchedTogether } from '../../src/social/meetings/watched'
import {
  answer,
  answersNow,
  azusa,
  hour,
  kiroku,
  lastMeeting,
  mio,
  openClub,
  pass,
  plan,
  press,
  recordsOf,
  ritsu,
  rows,
  told,
} from '../support/club'
import type { Visitor } from '../support/visitor'

beforeEach(openClub)
afterEach(() => kiroku.close())

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
    expect((await mio.open(`/meetings/${id}`)).text).toContain('action="/undo"')
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
