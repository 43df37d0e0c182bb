import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { createFeed, type NewFeed } from '../../src/accounts/calendar-feeds'
import { at, createCalendar, hour, now } from '../support/calendar'

const { kiroku, handle, made, reset } = await createCalendar()
const work = 500
const day = 24 * hour
afterAll(kiroku.close)
// Each reading starts Python.
setDefaultTimeout(60_000)

const make = async (options: Partial<NewFeed> = {}) => {
  const usual = { userId: 1, name: 'Phone', wanted: true, alarm: null, withRule: true } as const
  const words = { language: 'en', titleLanguage: 'native', timeZone: 'Asia/Tokyo' } as const
  return (await createFeed(kiroku.deps, { ...usual, ...words, ...options })).secret
}

let secret = ''
beforeEach(async () => {
  reset()
  handle.run('delete from feeds')
  secret = await make()
})

const read = (of = secret, format = 'ics', init?: RequestInit) => kiroku.ask(`/feeds/${of}.${format}`, init)

interface ReadEvent {
  readonly uid: string
  readonly summary: string
  readonly sequence: number
  readonly status: string
  readonly start: string
  readonly location: string
  readonly alarms: readonly string[]
}

/** What three readers make of it, which must be the same. */
async function events(text?: string): Promise<readonly ReadEvent[]> {
  const body = text ?? (await (await read()).text())
  const component = new ICAL.Component(ICAL.parse(body))
  const byIcalJs = component.getAllSubcomponents('vevent').map((one) => {
    const event = new ICAL.Event(one)
    return {
      uid: event.uid,
      summary: event.summary,
      sequence: event.sequence,
      status: String(one.getFirstPropertyValue('status')),
      start: event.startDate.isDate ? event.startDate.toString() : event.startDate.toJSDate().toISOString(),
      location: event.location ?? '',
      alarms: one
        .getAllSubcomponents('valarm')
        .map((alarm) => String(alarm.getFirstPropertyValue('trigger'))),
    }
  })
  const byNode = Object.values(nodeIcal.sync.parseICS(body)).filter((one) => one?.type === 'VEVENT')
  const nodeFacts = byNode.map((one) =>
    one?.type === 'VEVENT' ? [one.uid, String(one.summary), one.status] : [],
  )
  expect(nodeFacts).toEqual(byIcalJs.map(({ uid, summary, status }) => [uid, summary, status]))
  const python = Bun.spawnSync(['/usr/bin/python3', `${import.meta.dir}/../support/ical-python.py`], {
    stdin: Buffer.from(body),
  })
  const byPython = JSON.parse(python.stdout.toString() || '[]')
  const facts = byPython.map(({ uid, summary, sequence, status, location }: ReadEvent) => [
    ...[uid, summary, sequence, status, location],
  ])
  expect(facts).toEqual(byIcalJs.map((one) => [one.uid, one.summary, one.sequence, one.status, one.location]))
  expect(byPython.flatMap(({ errors }: { errors: unknown[] }) => errors)).toEqual([])
  return byIcalJs
}

describe('a calendar that is read by its secret (D83)', () => {
  test('is a calendar of one event an episode, in lines of 75 octets', async () => {
    made.program(work, 1, now - day)
    made.program(work, 1, now, { channel: 102 })
    made.program(work, 2, now + 6 * day, { estimated: 1 })
    const response = await read()
    const body = await response.text()
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, max-age=900',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    expect(response.headers.get('set-cookie')).toBeNull()
    for (const line of [
      ...['METHOD:PUBLISH', 'NAME:Phone', 'X-WR-CALNAME:Phone', 'REFRESH-INTERVAL;VALUE=DURATION:PT6H'],
      ...['X-PUBLISHED-TTL:PT6H', 'TRANSP:TRANSPARENT', 'DURATION:PT30M'],
    ])
      expect(body.split('\r\n')).toContain(line)
    expect(body.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(body.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
    expect(await events(body)).toMatchObject([
      {
        ...{ uid: 'episode-500001@localhost', summary: '作品500 Ep. 1', status: 'CONFIRMED' },
        ...{ start: new Date(now - day).toISOString(), location: '選んだ局', alarms: [] },
      },
      { uid: 'episode-500002@localhost', summary: '作品500 Ep. 2', status: 'TENTATIVE' },
    ])
  })

  test('has what its options say: alarms, no estimates, no planned works, the language, titles without the guard', async () => {
    made.program(work, 1, now - 6 * day, { estimated: 1 })
    made.program(work, 2, now + day)
    made.work(600)
    made.episodes(600, 2)
    made.status(1, 600, 'wanna_watch')
    made.program(600, 1, now + 2 * day)
    made.program(600, 2, now + 3 * day)
    const summaries = async (of: string) =>
      (await events(await (await read(of)).text())).map((one) => one.summary)
    expect(await summaries(secret)).toEqual(['作品500 Ep. 1', '作品500 Ep. 2', '作品600 Ep. 1'])
    handle.run('update users set guards_spoilers = 0 where id = 1')
    const other = await make({ alarm: 10, withRule: false, wanted: false, language: 'ja' })
    expect(await summaries(other)).toEqual(['作品500 第2話 話2'])
    expect((await events(await (await read(other)).text()))[0]?.alarms).toEqual(['-PT10M'])
    handle.run('update users set guards_spoilers = 1 where id = 1')
  })

  test('has films by their date', async () => {
    made.work(700, { title: '映画', media: 'movie', no_episodes: 1, released_on: '2026-11-27' })
    made.status(1, 700, 'wanna_watch')
    expect(await events()).toMatchObject([
      { uid: 'film-700@localhost', summary: '映画', start: '2026-11-27', status: 'CONFIRMED' },
    ])
  })

  test('has the same UID and a higher SEQUENCE after each change, and the same bytes without one', async () => {
    const sequences: number[] = []
    const step = async (change: () => unknown, expected: Partial<ReadEvent>) => {
      const before = await (await read()).text()
      expect(await (await read()).text()).toBe(before)
      change()
      const [event, ...others] = await events()
      expect(others).toEqual([])
      expect(event).toMatchObject({ uid: 'episode-500001@localhost', ...expected })
      sequences.push(event?.sequence ?? 0)
    }
    await step(() => made.program(work, 1, at('2026-11-20T23:00:00'), { estimated: 1 }), {
      status: 'TENTATIVE',
    })
    await step(() => made.program(work, 1, at('2026-11-20T23:30:00'), { channel: 102, id: 9000 }), {
      ...{ status: 'CONFIRMED', location: 'ほかの局' },
    })
    await step(() => handle.run('update programs set started_at = started_at + 3600000 where id = 9000'), {
      start: '2026-11-20T15:30:00.000Z',
    })
    await step(() => handle.run('update programs set channel_id = 101 where id = 9000'), {
      location: '選んだ局',
    })
    handle.run('delete from programs where estimated = 1')
    await step(() => handle.run('update programs set hidden = 1 where id = 9000'), { status: 'CANCELLED' })
    await step(() => handle.run('update programs set hidden = 0 where id = 9000'), { status: 'CONFIRMED' })
    expect(sequences.every((one, n) => n === 0 || one > (sequences[n - 1] ?? 0))).toBe(true)
  })

  test('is as new as the last change of the channels', async () => {
    const changed = () =>
      Number(handle.query<{ at: number }, []>('select changed_at as at from feeds').get()?.at)
    const before = changed()
    made.choose(1, 101)
    const chosen = changed()
    expect(chosen).toBeGreaterThanOrEqual(before + 1000)
    handle.run('delete from user_channels')
    expect(changed()).toBeGreaterThanOrEqual(chosen + 1000)
  })

  test('says for 14 days that a time of one’s own ended', async () => {
    handle.run(
      `insert into own_slots (user_id, work_id, weekday, minute, time_zone, begins_on, first_episode, changed_at)
       values (1, ?, 5, 1380, 'Asia/Tokyo', '2026-11-20', 12, ?)`,
      [work, now],
    )
    expect(await events()).toMatchObject([{ uid: 'episode-500012@localhost', status: 'CONFIRMED' }])
    handle.run('update own_slots set ended_at = ?, changed_at = ?', [now, now + 2000])
    expect(await events()).toMatchObject([{ uid: 'episode-500012@localhost', status: 'CANCELLED' }])
    kiroku.clock.now = now + 14 * day + 1
    expect(await events()).toEqual([])
    kiroku.clock.now = now
  })

  test('answers 304 to its ETag, and HEAD', async () => {
    const tag = (await read()).headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/)
    const known = await read(secret, 'ics', { headers: { 'if-none-match': tag } })
    expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', tag])
    const head = await read(secret, 'ics', { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', tag])
  })

  test('is not there with a wrong secret, another ending, or when its owner is suspended', async () => {
    const wrong = `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`
    for (const path of [`${wrong}.ics`, `${secret}.txt`, secret, `${secret}.ics.ics`, 'x.ics'])
      expect([path, (await kiroku.ask(`/feeds/${path}`)).status]).toEqual([path, 404])
    handle.run('update users set disabled_at = 1 where id = 1')
    expect((await read()).status).toBe(404)
    handle.run('update users set disabled_at = null where id = 1')
    expect((await read()).status).toBe(200)
  })

  test('notes in the list when it was last read, and by what, at most every ten minutes', async () => {
    const used = () => handle.query('select last_used_at, last_agent from feeds').get()
    await read(secret, 'ics', { headers: { 'user-agent': 'Calendar/1' } })
    await kiroku.deps.write(async () => {})
    expect(used()).toEqual({ last_used_at: now, last_agent: 'Calendar/1' })
    kiroku.clock.now = now + 599_000
    await read(secret, 'ics', { headers: { 'user-agent': 'Other/1' } })
    await kiroku.deps.write(async () => {})
    expect(used()).toEqual({ last_used_at: now, last_agent: 'Calendar/1' })
    kiroku.clock.now = now
  })

  test('its secret is in no log line', async () => {
    await read()
    await kiroku.ask(`/feeds/${secret}x.ics`)
    expect(JSON.stringify(kiroku.lines)).not.toContain(secret)
  })

  test('has at most 500 events, the oldest left out', async () => {
    for (let id = 1000; id < 1060; id++) {
      made.work(id)
      made.episodes(id, 12)
      made.status(1, id)
      for (let n = 1; n <= 12; n++) made.program(id, n, now + (n - 4) * 7 * day + id * 1000)
    }
    const found = await events()
    expect(found).toHaveLength(500)
    expect(found.at(-1)?.start).toBe(new Date(now + 8 * 7 * day + 1_059_000).toISOString())
  })
})

test('the feed of what has begun has no episodes’ titles, newest first (D83)', async () => {
  made.program(work, 1, now - 2 * day)
  made.program(work, 2, now - day)
  made.program(work, 3, now + day)
  const response = await read(secret, 'atom')
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  const body = await response.text()
  expect([...body.matchAll(/<id>([^<]+)/g)].map(([, id]) => id)).toEqual([
    expect.stringMatching(/^tag:localhost,2026:feed-\d+$/),
    'tag:localhost,2026:episode-500002',
    'tag:localhost,2026:episode-500001',
  ])
  expect(body).toContain(`<updated>${new Date(now - day).toISOString()}</updated>`)
  expect(body).not.toContain('話2')
})
