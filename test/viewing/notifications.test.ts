import { afterAll, beforeEach, expect, test } from 'bun:test'
import { sweepNotifications } from '../../src/social/notify'
import { rowsOf } from '../support/counted'
import { previewOf, untilSettled } from '../support/imports'
import { createInstance, itemsOf, start } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../support/visitor'

const kiroku = await createInstance({ seed: seedLibrary })
const { clock, deps, store } = kiroku
const { handle } = store
const names = ['mio', 'Ritsu_T', 'azusa'] as const
const [mio, ritsu, azusa] = await Promise.all(names.map((name) => createMember(kiroku, name)))
const [byMio, byRitsu, byAzusa] = await Promise.all(names.map((name) => personOf(kiroku, name)))
if (!mio || !ritsu || !azusa || !byMio || !byRitsu || !byAzusa) throw new Error('no members')
afterAll(kiroku.close)

beforeEach(() => {
  for (const table of ['comments', 'likes', 'follows', 'notifications', 'mutes', 'blocks', 'follow_requests'])
    handle.run(`delete from ${table}`)
  handle.run("update users set privacy = 'members', disabled_at = null, is_admin = 0")
  handle.run('update records set private = 0')
  clock.now = start
})

const textsOf = (text: string) =>
  [...text.matchAll(/<li class="row news"([^>]*)>[\s\S]*?<div class="text">([\s\S]*?)<\/p>/g)].map(
    ([, attributes = '', inner = '']) =>
      `${attributes.includes('data-unread') ? '* ' : ''}${inner.replaceAll(/<span class="unseen">[^<]*<\/span>|<[^>]*>/g, '').trim()}`,
  )
const opened = async (who: Visitor) => textsOf((await who.open('/notifications')).text)
const badgeOf = (text: string) => /<span class="badge">([^<]*)</.exec(text)?.[1] ?? ''

test('visitors sign in first', async () => {
  expect((await createVisitor(kiroku).open('/notifications')).location).toBe(
    '/sign_in?return_to=%2Fnotifications',
  )
})

test('each kind is a sentence, newest first; opening the page marks what it shows as read (D118)', async () => {
  await byRitsu.done('POST', '/v1/me/follows', { username: 'mio' })
  await byRitsu.done('POST', '/v1/me/likes', { record_id: 1 })
  await byAzusa.done('POST', '/v1/me/likes', { record_id: 1 })
  await byRitsu.done('POST', '/v1/me/comments', { review_id: 1, body: '同じところで\n泣いた' })
  expect(badgeOf((await mio.open('/settings')).text)).toBe('4')
  const first = await mio.open('/notifications')
  expect(textsOf(first.text)).toEqual([
    '* Ritsu_T commented on what you wrote on Garden of Falling Stars: “同じところで 泣いた”',
    '* azusa and 1 other liked what you wrote on Garden of Falling Stars, episode 1',
    '* Ritsu_T follows you',
  ])
  expect(badgeOf((await mio.open('/settings')).text)).toBe('')
  expect((await opened(mio)).map((text) => text.startsWith('* '))).toEqual([false, false, false])
  expect((await byMio.json('/v1/me')).notifications_count).toBe(0)
})

test('a fetch ahead of time marks nothing', async () => {
  await byRitsu.done('POST', '/v1/me/follows', { username: 'mio' })
  await mio.open('/notifications', { headers: { 'sec-purpose': 'prefetch' } })
  expect(await opened(mio)).toEqual(['* Ritsu_T follows you'])
})

test('“mark all as read” reads those of other pages, too', async () => {
  for (let at = 0; at < 60; at += 1)
    handle.run("insert into notifications (user_id, kind, actor_id, created_at) values (1, 'follow', 2, 1)")
  const { text } = await mio.open('/notifications')
  expect([textsOf(text).length, badgeOf((await mio.open('/settings')).text)]).toEqual([50, '10'])
  await mio.post('/notifications/read', hiddenInputs(text, '/notifications/read'))
  expect(badgeOf((await mio.open('/settings')).text)).toBe('')
  const [, next = ''] = /rel="next" href="([^"]*)/.exec((await mio.open('/notifications')).text) ?? []
  expect(textsOf((await mio.open(next)).text)).toHaveLength(10)
})

test('nothing by people whom one muted, who are blocked or disabled, nor about what one can no longer see', async () => {
  await byRitsu.done('POST', '/v1/me/likes', { record_id: 1 })
  await byAzusa.done('POST', '/v1/me/comments', { record_id: 1, body: 'あずさ' })
  await byRitsu.done('POST', '/v1/me/comments', { record_id: 1, body: 'りつ' })
  const shown = async (who: Visitor) => {
    handle.run('update notifications set read_at = null')
    const badge = Number(badgeOf((await who.open('/settings')).text))
    const texts = await opened(who)
    expect(badge).toBe(texts.length)
    return texts.length
  }
  expect([await shown(mio), await shown(azusa)]).toEqual([3, 1])
  handle.run('insert into mutes (user_id, muted_id, created_at) values (1, 2, 1)')
  expect(await shown(mio)).toBe(1)
  handle.run('delete from mutes')
  handle.run('insert into blocks (user_id, blocked_id, created_at) values (4, 1, 1)')
  expect(await shown(mio)).toBe(2)
  handle.run('delete from blocks')
  handle.run('update users set disabled_at = 1 where id = 2')
  expect(await shown(mio)).toBe(1)
  handle.run('update users set disabled_at = null')
  handle.run('update records set private = 1 where id = 1')
  expect([await shown(mio), await shown(azusa)]).toEqual([3, 0])
})

test('requests to follow stand first, are accepted or declined there, and who was accepted is told (D76)', async () => {
  handle.run("update users set privacy = 'private' where id = 1")
  await byRitsu.done('POST', '/v1/me/follows', { username: 'mio' })
  await byAzusa.done('POST', '/v1/me/follows', { username: 'mio' })
  await byRitsu.done('POST', '/v1/me/likes', { review_id: 2 })
  expect(itemsOf(await byMio.json('/v1/me/notifications')).map(({ action }) => action)).toEqual([
    'follow_request',
    'follow_request',
  ])
  const { text } = await mio.open('/notifications')
  expect(textsOf(text)).toEqual(['* Ritsu_T asks to follow you', '* azusa asks to follow you'])
  const answer = async (decision: string, username: string) => {
    const inputs = { ...hiddenInputs(text, `/settings/privacy/${decision}`), username }
    expect((await mio.post(`/settings/privacy/${decision}`, inputs)).location).toBe('/notifications')
  }
  await answer('accept', 'Ritsu_T')
  await answer('decline', 'azusa')
  expect(await opened(mio)).toEqual([])
  expect(await opened(ritsu)).toEqual(['* mio accepted your request to follow'])
  expect(await opened(azusa)).toEqual([])
  expect(rowsOf(handle, 'notifications').map(({ kind }) => kind)).toEqual(['follow_accepted'])
})

test('a report is told to the administrators, but not to who is reported', async () => {
  handle.run('update users set is_admin = 1 where id in (1, 4)')
  await byRitsu.done('POST', '/v1/me/reports', { username: 'azusa', reason: 'spam' })
  expect([await opened(mio), await opened(azusa), await opened(ritsu)]).toEqual([
    ['* Something was reported to the administrators'],
    [],
    [],
  ])
})

test('a destination that was switched off is told by the system (D85)', async () => {
  handle.run("insert into notifications (user_id, kind, created_at) values (1, 'destination_off', 1)")
  expect(badgeOf((await mio.open('/settings')).text)).toBe('1')
  expect(await opened(mio)).toEqual([
    '* Nothing is sent to one of your destinations any more: it failed ten times in a row',
  ])
})

test('the end of an import is told, until its page is opened (D118)', async () => {
  const preview = await previewOf(azusa, 'work_id,title,status\n1,星降る庭,watching')
  await azusa.submit(preview, {}, `${preview}/apply`)
  await untilSettled(kiroku)
  expect((await byAzusa.json('/v1/me/notifications')).notifications).toMatchObject([
    { action: 'import', user: null, is_read: false },
  ])
  await azusa.open(preview)
  expect(await opened(azusa)).toEqual(['An import has finished'])
})

test('what was read goes after 180 days, what is new stays', async () => {
  await byRitsu.done('POST', '/v1/me/follows', { username: 'mio' })
  await byAzusa.done('POST', '/v1/me/follows', { username: 'Ritsu_T' })
  await opened(mio)
  const left = async () => {
    await sweepNotifications(deps)
    return rowsOf(handle, 'notifications').map(({ user_id }) => user_id)
  }
  clock.now = start + 180 * 86_400_000
  expect(await left()).toEqual([1, 2])
  clock.now += 1
  expect(await left()).toEqual([2])
})

test('a new episode has its time and its ✓, and is read by the record (D84)', async () => {
  handle.run(
    "insert into notifications (user_id, kind, episode_id, began_at, created_at) values (1, 'episode', 4, ?1, ?1)",
    [start - 3_600_000],
  )
  const { text } = await mio.open('/notifications')
  expect(textsOf(text)[0]).toStartWith('* Garden of Falling Stars')
  await mio.post('/record', { ...hiddenInputs(text, '/record'), episode_id: '4' })
  expect((await mio.open('/notifications')).text).not.toContain('class="tick')
})
