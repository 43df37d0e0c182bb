import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { finishMoves } from '../../src/accounts/account/privacy'
import { figures } from '../support/charts'
import { createInstance, type Instance } from '../support/instance'
import { createMember, createVisitor, type Visitor } from '../support/visitor'
import { addRecords, prefer } from '../support/watched-rows'
import { csrfIn } from '../support/works'

let kiroku: Instance
let mio: Visitor
let ritsu: Visitor
let visitor: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  await prefer(kiroku, 1, { time_zone: 'Asia/Tokyo', has_long_nights: 1 })
  mio = await createMember(kiroku, 'mio')
  ritsu = await createMember(kiroku, 'Ritsu_T')
  visitor = createVisitor(kiroku)
  kiroku.clock.now = Date.parse('2026-04-01T03:00:00Z')
  await addRecords(kiroku, [
    { user_id: 1, episode_id: 1, watched_at: Date.parse('2025-05-01T16:30:00Z') },
    { user_id: 1, episode_id: 2, watched_at: Date.parse('2025-06-01T16:30:00Z') },
  ])
  run(
    `insert into statuses (user_id, work_id, kind, changed_at, finished_on) values (1, 2, 'watched', 1, '2025-06')`,
  )
})
afterEach(() => kiroku.close())

const run = (sql: string, ...values: (string | number | null)[]) => kiroku.store.handle.run(sql, values)
const rows = () =>
  kiroku.store.handle
    .query<Record<string, unknown>, []>('select user_id, period, audience, figures from shares')
    .all()
const page = '/@mio/2025'
const share = (audience: string, more = {}) =>
  mio.submit(`${page}/share`, { audience, ...more }, '/year/share')
const stop = () => mio.submit(page, {}, '/year/unshare')
const statusOf = async (by: Visitor, path = page) => (await by.open(path)).status
const move = async (privacy: string) => {
  run('update users set privacy = ? where id = 1', privacy)
  run("update shares set withheld = iif(? = 'private', 1, 0) where user_id = 1", privacy)
  await finishMoves(kiroku.deps)
}
async function undoLast(): Promise<void> {
  const { id } = kiroku.store.handle.query<{ id: number }, []>('select max(id) as id from acts').get() ?? {
    id: 0,
  }
  await mio.submit('/settings/history', { act_id: String(id) }, '/undo')
}

describe('a shared year (D91)', () => {
  test.each([
    ['members', 'members', [200, 303]],
    ['members', 'public', [200, 200]],
    ['public', 'members', [200, 404]],
    ['public', 'public', [200, 200]],
    ['private', 'public', [404, 303]],
    ['private', 'members', [404, 303]],
  ])(
    'of a profile for %s, for %s, answers members and visitors with %j',
    async (privacy, audience, statuses) => {
      await share(audience)
      await move(privacy)
      for (const path of [page, `${page}/share.svg?size=tall`])
        expect([await statusOf(ritsu, path), await statusOf(visitor, path)]).toEqual(statuses)
      expect(await statusOf(mio)).toBe(200)
      run('insert into follows (follower_id, followed_id, created_at) values (2, 1, 1)')
      expect(await statusOf(ritsu)).toBe(200)
    },
  )

  test('is a copy: what is recorded, deleted or renamed later does not change it, until it is shared anew', async () => {
    await share('members')
    const before = (await ritsu.open(page)).text
    expect(figures(before)).toMatchObject({ episodes: 2, works_finished: 1, days: 2 })
    const title = /<span class="name"[^>]*>([^<]*)</.exec(before)?.[1] ?? ''
    expect(title).not.toBe('')
    run("update works set title = 'another', title_en = 'another' where id = 2")
    run('delete from records where user_id = 1')
    const after = (await ritsu.open(page)).text
    expect(figures(after)).toEqual(figures(before))
    expect(after).toContain(title)
    expect(figures((await mio.open(page)).text)).toMatchObject({ episodes: 0 })
    await share('members')
    expect(figures((await ritsu.open(page)).text)).toMatchObject({ episodes: 0 })
    expect(rows()).toHaveLength(1)
  })

  test('of an earlier version, which had no studio, is shown without one', async () => {
    await share('members')
    run("update shares set figures = json_remove(figures, '$.studio')")
    expect(await statusOf(ritsu)).toBe(200)
  })

  test('has nothing private, and neither hours nor when its owner watches', async () => {
    run('update records set private = 1 where episode_id = 1')
    await share('public')
    const { text } = await visitor.open(page)
    expect(figures(text)).toMatchObject({ episodes: 1 })
    expect(text).not.toContain('25:30')
    expect(text).not.toContain('data-chart="when"')
    expect((await mio.open(page)).text).toContain('25:30')
    expect(JSON.stringify(rows())).not.toContain('"minute":1')
    expect(text).toContain('<meta property="og:url"')
    expect(text).not.toContain('/year/share')
  })

  test('a work that was hidden since keeps its title, without a link', async () => {
    await share('members')
    expect((await ritsu.open(page)).text).toContain('href="/works/2"')
    run('update works set hidden = 1 where id = 2')
    const { text } = await ritsu.open(page)
    expect(text).not.toContain('href="/works/2"')
    expect(figures(text)).toMatchObject({ works_finished: 1 })
  })

  test('is not there after it is stopped, which an undo takes back; so is an undone share', async () => {
    await share('members')
    const copy = rows()
    await stop()
    expect([await statusOf(ritsu), rows()]).toEqual([404, []])
    await undoLast()
    expect([await statusOf(ritsu), rows()]).toEqual([200, copy])
    await share('public')
    expect(await statusOf(visitor)).toBe(200)
    await undoLast()
    expect([await statusOf(visitor), rows()]).toEqual([303, copy])
  })

  test('is not there of an account that is disabled or being deleted, nor across a block', async () => {
    await share('public')
    run('insert into blocks (user_id, blocked_id, created_at) values (1, 2, 1)')
    expect(await statusOf(ritsu)).toBe(404)
    run('delete from blocks')
    run('update users set disabled_at = 1 where id = 1')
    expect([await statusOf(ritsu), await statusOf(visitor)]).toEqual([404, 303])
    run('update users set disabled_at = null where id = 1')
    await kiroku.deps.write((tx) =>
      tx.insertInto('deletions').values({ user_id: 1, begun_at: 1, keeps_comments: 1 }).execute(),
    )
    expect([await statusOf(ritsu), await statusOf(visitor)]).toEqual([404, 303])
  })

  test.each([
    ['/year/share', { period: '2025', audience: 'everyone' }, 422],
    ['/year/share', { period: '2025', audience: '' }, 422],
    ['/year/share', { period: 'x', audience: 'public' }, 422],
    ['/year/share', { period: '1949', audience: 'public' }, 404],
    ['/year/share', { period: '2027', audience: 'public' }, 404],
    ['/year/unshare', { period: '2024' }, 404],
  ])('%s refuses %j with %i, and nothing changes', async (path, sent, status) => {
    await share('members')
    const before = rows()
    const csrf = csrfIn((await mio.open(`${page}/share`)).text)
    expect((await mio.post(path, { csrf, ...sent })).status).toBe(status)
    expect(rows()).toEqual(before)
  })

  test('another’s year is shared by nobody else', async () => {
    await share('members')
    const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec((await ritsu.open(page)).text) ?? []
    expect((await ritsu.post('/year/unshare', { csrf, period: '2025' })).status).toBe(404)
    expect(rows()).toHaveLength(1)
  })

  test('says to its owner since when it is shared', async () => {
    expect((await mio.open(page)).text).not.toContain('Shared, as it was')
    await share('members')
    expect((await mio.open(page)).text).toContain('Shared, as it was on 1 April 2026')
  })
})
