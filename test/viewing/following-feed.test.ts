import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createFeed, renewFeed, revokeOwnFeed } from '../../src/accounts/calendar-feeds'
import { entriesOf, parsed, textsOf } from '../support/atom'
import { createInstance, type Instance, start } from '../support/instance'
import { createMember } from '../support/visitor'
import { addRecords, prefer } from '../support/watched-rows'

let kiroku: Instance
let secret = ''
const [mio, ritsu, mugi] = [1, 2, 3]
const words = { language: 'en', titleLanguage: 'native', timeZone: 'Asia/Tokyo' } as const

beforeEach(async () => {
  kiroku = await createInstance()
  const said = { userId: mio, name: 'Reader', wanted: true, alarm: null, withRule: true, ...words }
  secret = (await createFeed(kiroku.deps, said)).secret
  run('delete from follows')
  run('insert into follows (follower_id, followed_id, created_at) values (1, 2, 1)')
})
afterEach(() => kiroku.close())

const run = (sql: string) => kiroku.store.handle.run(sql)
const read = (of = secret, init?: RequestInit) => kiroku.ask(`/feeds/${of}/following.atom`, init)
const textOf = async (response = read()) => (await response).text()

const insert = (table: 'reviews' | 'activities', values: Record<string, string | number>) =>
  kiroku.store.handle
    .query<{ id: number }, (string | number)[]>(
      `insert into ${table} (${Object.keys(values).join()}) values (${Object.keys(values).map(() => '?')}) returning id`,
    )
    .all(...Object.values(values))[0]?.id ?? 0

async function watch(user_id: number, episode_id: number, comment = '') {
  const [record_id = 0] = await addRecords(kiroku, [{ user_id, episode_id, watched_at: start, comment }])
  insert('activities', { user_id, work_id: 1, action: 'create_record', record_id, created_at: start })
  return record_id
}

function review(user_id: number, body: string, more: Record<string, string | number> = {}) {
  const told = { user_id, work_id: 3, created_at: start + 1 }
  const review_id = insert('reviews', { ...told, body, rating_overall_state: 'great', ...more })
  insert('activities', { ...told, action: 'create_review', review_id })
  return review_id
}

describe('what those whom one follows do, as a feed by one’s secret (people.md §6, D83)', () => {
  test('is what the page of activity has, read by an XML parser, each entry with its author', async () => {
    await watch(ritsu, 1)
    await watch(mugi, 2)
    review(ritsu, '海の話')
    const response = await read()
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/atom+xml; charset=utf-8',
    ])
    const feed = await parsed(await response.text())
    expect(entriesOf(feed).flatMap((entry) => textsOf(entry, 'title'))).toEqual([
      '律 reviewed 海のＡＢＣ',
      '律 watched episode 1 of 星降る庭',
    ])
    for (const entry of entriesOf(feed))
      expect(entry.inside.find(({ tag }) => tag === 'author')?.inside[0]?.text).toBe('律')
    const { text } = await (await createMember(kiroku, 'mio')).open('/activity')
    expect(text.match(/<article class="told"/g)).toHaveLength(2)
    expect(textsOf(feed, 'id')).toEqual([expect.stringMatching(/^tag:localhost,2026:following-\d+$/)])
  })

  test('under one’s own guard: not what is private, of the muted or blocked, nor of those one no longer follows', async () => {
    const record = await watch(ritsu, 1)
    expect(await textOf()).toContain('<entry>')
    const away = [
      [
        `update records set private = 1 where id = ${record}`,
        `update records set private = 0 where id = ${record}`,
      ],
      ['insert into mutes (user_id, muted_id, created_at) values (1, 2, 1)', 'delete from mutes'],
      ['insert into blocks (user_id, blocked_id, created_at) values (2, 1, 1)', 'delete from blocks'],
      ['delete from follows', 'insert into follows (follower_id, followed_id, created_at) values (1, 2, 1)'],
    ] as const
    for (const [hide, show] of away) {
      run(hide)
      const hidden = await textOf()
      run(show)
      expect([hide, hidden.includes('<entry>'), (await textOf()).includes('<entry>')]).toEqual([
        hide,
        false,
        true,
      ])
    }
    await prefer(kiroku, ritsu, { privacy: 'private' })
    expect(await textOf()).toContain('<entry>')
  })

  test('a review of what one has not watched is a link, and the text once one has, or wants no guard', async () => {
    const body = '結末はこう'
    const id = review(ritsu, body)
    const guarded = await textOf()
    expect([guarded.includes(body), guarded.includes(`/reviews/${id}`)]).toEqual([false, true])
    await watch(ritsu, 2, '第2話の秘密')
    expect(await textOf()).not.toContain('第2話の秘密')
    run('update users set guards_spoilers = 0 where id = 1')
    expect(await textOf()).toContain(body)
    run('update users set guards_spoilers = 1 where id = 1')
    review(mio, '自分の感想', { watched_at: start, watched_at_precision: 'time' })
    expect(await textOf()).toContain(body)
  })

  test('ETag and 304, and the answer is for nobody else', async () => {
    await watch(ritsu, 1)
    const first = await read()
    const tag = first.headers.get('etag') ?? ''
    const again = await read(secret, { headers: { 'if-none-match': tag } })
    expect([again.status, await again.text(), (await read()).headers.get('etag')]).toEqual([304, '', tag])
    for (const [name, value] of Object.entries({
      'cache-control': 'private, max-age=900',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    }))
      expect([name, first.headers.get(name)]).toEqual([name, value])
    expect(first.headers.get('set-cookie')).toBeNull()
    await watch(ritsu, 2)
    expect((await read(secret, { headers: { 'if-none-match': tag } })).status).toBe(200)
  })

  test('404 for a secret that is not known, was renewed or revoked, of a suspended person, and for a cookie', async () => {
    const cookie = await createMember(kiroku, 'mio')
    expect((await cookie.open(`/feeds/kir_fd_${'A'.repeat(49)}/following.atom`)).status).toBe(404)
    expect((await read(kiroku.token)).status).toBe(404)
    run('update users set disabled_at = 1 where id = 1')
    expect((await read()).status).toBe(404)
    run('update users set disabled_at = null where id = 1')
    const renewed = await renewFeed(kiroku.deps, mio, 1)
    expect([(await read()).status, (await read(renewed)).status]).toEqual([404, 200])
    await revokeOwnFeed(kiroku.deps, mio, 1)
    expect((await read(renewed)).status).toBe(404)
    expect(JSON.stringify(kiroku.lines)).not.toContain(secret.slice(7))
  })
})
