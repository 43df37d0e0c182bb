import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { at, createCalendar, daysIn, hour, now } from '../support/calendar'
import { rowsOf } from '../support/counted'
import { hiddenInputs } from '../support/visitor'

const { kiroku, handle, made, mio, prefer, reset, open } = await createCalendar()
const work = 500
afterAll(kiroku.close)
beforeEach(reset)

describe('an entry', () => {
  test('says time, title, episode and state, and links to its episode', async () => {
    made.program(work, 1, now - 25 * hour)
    made.program(work, 2, now - hour)
    made.program(work, 3, now + hour)
    made.record(1, work, 1, now - 24 * hour)
    const text = await open()
    const words = [...text.matchAll(/<li class="entry[\s\S]*?<a href="([^"]+)">([\s\S]*?)<\/a>/g)].map(
      ([, path, inner = '']) => [
        path,
        inner
          .replace(/<svg[\s\S]*?<\/svg>/g, '')
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      ],
    )
    expect(words).toEqual([
      ['/works/500/episodes/1', '21:00 new 作品500 Ep. 1 · 選んだ局 recorded'],
      ['/works/500/episodes/2', '21:00 作品500 Ep. 2 · 選んだ局 not recorded'],
      ['/works/500/episodes/3', '23:00 作品500 Ep. 3 · 選んだ局'],
    ])
  })

  test('that has aired is recorded with one press, which can be undone', async () => {
    made.program(work, 2, now - hour)
    made.program(work, 3, now + hour)
    const text = await open()
    expect(text.split('data-act="record"')).toHaveLength(2)
    const sent = { ...hiddenInputs(text, '/record'), episode_id: '500002' }
    const done = await mio.follow((await mio.post('/record', sent)).location)
    expect(done.text).toContain('Recorded episode 2')
    expect(done.text).toMatch(/id="e500002"[\s\S]*?recorded/)
    expect(done.text).not.toContain('data-act="record"')
    expect(rowsOf(handle, 'records')).toMatchObject([{ user_id: 1, episode_id: 500_002 }])
    const [, act = ''] = /name="act_id" value="([0-9]+)"/.exec(done.text) ?? []
    await mio.post('/undo', { ...hiddenInputs(done.text, '/undo'), act_id: act })
    expect(rowsOf(handle, 'records')).toEqual([])
  })

  test('is marked as estimated, one’s own, the last episode, a repeat', async () => {
    handle.run('update works set episodes_estimate = 12 where id = ?', [work])
    made.program(work, 1, at('2026-11-16T20:00:00'), { estimated: 1 })
    made.program(work, 12, at('2026-11-21T20:00:00'))
    made.program(work, 12, at('2026-11-22T20:00:00'), { again: 1 })
    handle.run(
      `insert into own_slots (user_id, work_id, weekday, minute, time_zone, begins_on, first_episode, changed_at)
       values (1, ?, 3, 1440, 'Asia/Tokyo', '2026-11-18', 5, 1)`,
      [work],
    )
    const text = await open()
    expect(daysIn(text)).toEqual({
      '2026-11-16': ['20:00 500 500001 rule'],
      '2026-11-18': ['24:00 500 500005 own'],
      '2026-11-21': ['20:00 500 500012 listed'],
    })
    expect(text).toMatch(/<b>20:00<\/b> <em>new<\/em> <span class="estimated">est./)
    expect(text).toContain('Ep. 5 · your time')
    expect(text).toContain('<b>20:00</b> <em>last episode</em>')
    const all = await open('/calendar?on=all')
    expect(all).toContain('<b>20:00</b> <em>repeat</em>')
    expect(daysIn(all)['2026-11-22']).toEqual(['20:00 500 500012 listed'])
  })

  test('of one minute stands by title, a film with its date at the head of the day', async () => {
    made.work(600, { title: 'あ' })
    made.work(700, { title: '映画', media: 'movie', no_episodes: 1, released_on: '2026-11-20' })
    made.episodes(600, 1)
    made.status(1, 600)
    made.status(1, 700, 'wanna_watch')
    made.program(work, 1, at('2026-11-20T20:00:00'))
    made.program(600, 1, at('2026-11-20T20:00:30'))
    const text = await open()
    expect(daysIn(text)).toEqual({ '2026-11-20': ['20:00 600 600001 listed', '20:00 500 500001 listed'] })
    expect(text).toMatch(
      /data-day="2026-11-20"[\s\S]*?<li class="release" data-work="700"><em>release<\/em>[\s\S]*?data-entry/,
    )
  })
})

describe('which works and channels', () => {
  beforeEach(() => {
    made.work(600, { season_year: 2026, season: 'autumn', media: 'web' })
    made.work(601, { season_year: 1999, season: 'spring' })
    made.work(602, { season_year: 1999, season: 'spring' })
    for (const id of [600, 601, 602]) {
      made.episodes(id, 1)
      made.program(id, 1, now + id * 60_000, { channel: 102 })
    }
    made.status(4, 602)
  })

  test('all are those of the season and those that somebody here watches, by medium', async () => {
    const works = async (path: string) =>
      Object.values(daysIn(await open(path)))
        .flat()
        .map((one) => one.split(' ')[1])
    expect(await works('/calendar?of=all')).toEqual(['600', '602'])
    expect(await works('/calendar?of=all&medium=web')).toEqual(['600'])
    expect(await works('/calendar?of=all&medium=nothing')).toEqual(['600', '602'])
    expect(await works('/calendar')).toEqual([])
  })

  test('works that air elsewhere only are named, and shown with on=all', async () => {
    made.choose(1, 101)
    made.status(1, 600)
    const text = await open()
    expect(text).toContain('1 work airs only on channels that you have not chosen.')
    expect(text).toContain('1 channel · times of Tokyo · a day lasts until 29:59')
    expect(daysIn(text)).toEqual({})
    expect(Object.values(daysIn(await open('/calendar?on=all'))).flat()).toEqual(['8:00 600 600001 listed'])
  })
})

describe('works without a time', () => {
  const untimed = (text: string) =>
    [...(/id="untimed"[\s\S]*?<\/section>/.exec(text)?.[0] ?? '').matchAll(/<li[^>]*data-work="(\d+)"/g)].map(
      ([, id]) => id,
    )

  test('are listed with the next episode and the way to set one, until they have one', async () => {
    const text = await open()
    expect(untimed(text)).toEqual(['500'])
    expect(text).toContain('data-untimed')
    expect(text).toContain('Ep. 1 next')
    expect(text).toContain('href="/works/500/slot?return_to=%2Fcalendar" data-dialog')
    made.program(work, 1, now + 30 * 24 * hour)
    expect(untimed(await open())).toEqual([])
  })

  test('are neither films nor all recorded, and planned ones only of these seasons', async () => {
    for (let n = 1; n <= 12; n++) made.record(1, work, n, 1, 'none')
    made.work(700, { media: 'movie', no_episodes: 1 })
    made.work(701, { season_year: 2001, season: 'autumn' })
    made.work(702, { season_year: 2027, season: 'winter' })
    made.episodes(701, 2)
    made.episodes(702, 2)
    for (const id of [700, 701, 702]) made.status(1, id, 'wanna_watch')
    expect(untimed(await open())).toEqual(['702'])
  })

  test('with a habit stand at the foot of their day; one press keeps it', async () => {
    for (const n of [1, 2, 3]) made.record(1, work, n, now - (27 - 7 * n) * 24 * hour + 70 * 60_000)
    const text = await open()
    expect(untimed(text)).toEqual([])
    expect(daysIn(text)).toEqual({ '2026-11-20': ['500 500004 habit'] })
    expect(text).toContain('usually Fri, about 23:00')
    const [cell = ''] = /<td data-day="2026-11-20"[\s\S]*?<\/td>/.exec(await open('/calendar/2026-11')) ?? []
    expect(cell).toMatch(
      /data-entry data-work="500" data-kind="habit"[\s\S]*usually Fri, about 23:00">23:00</,
    )
    expect((await open('/calendar/2026-11?day=2026-11-20')).split('id="day"')[1]).toContain(
      'action="/calendar/slot"',
    )
    const done = await mio.follow(
      (await mio.post('/calendar/slot', hiddenInputs(text, '/calendar/slot'))).location,
    )
    expect(rowsOf(handle, 'own_slots')).toMatchObject([
      { weekday: 5, minute: 1380, begins_on: '2026-11-20', first_episode: 4, time_zone: 'Asia/Tokyo' },
    ])
    expect(daysIn(done.text)).toEqual({ '2026-11-20': ['23:00 500 500004 own'] })
  })

  test('thirty at most are listed', async () => {
    for (let id = 800; id < 835; id++) {
      made.work(id)
      made.episodes(id, 1)
      made.status(1, id)
    }
    const text = await open()
    expect(untimed(text)).toHaveLength(30)
    expect(text).toContain('and 6 more')
  })
})

describe('with nothing to show', () => {
  test('it leads somebody without works to this season', async () => {
    handle.run('delete from statuses')
    expect(await open()).toContain('Nothing to put into the calendar yet')
  })

  test('it says that no times are known, to administrators also which sources have some', async () => {
    expect(await open()).toContain('This calendar knows no time of your work.')
    expect(await open()).not.toContain('/admin/catalogue"')
    handle.run('update users set is_admin = 1 where id = 1')
    expect(await open()).toContain('href="/admin/catalogue">Sources of broadcast times')
    handle.run('update users set is_admin = 0 where id = 1')
  })

  test('it says that times are in UTC while the zone is unknown', async () => {
    prefer({ time_zone: null })
    expect(await open()).toContain('times in UTC, as your time zone is not known')
  })
})
