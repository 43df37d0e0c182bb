import { afterAll, beforeEach, expect, test } from 'bun:test'
import { contentOf } from '../support/acts'
import { rowsOf } from '../support/counted'
import { createInstance, start } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../support/visitor'

const kiroku = await createInstance({ seed: seedLibrary })
const { clock, store } = kiroku
const { handle } = store
const [mio, ritsu, azusa] = [
  await createMember(kiroku, 'mio'),
  await createMember(kiroku, 'Ritsu_T'),
  await createMember(kiroku, 'azusa'),
]
afterAll(kiroku.close)

beforeEach(() => {
  for (const table of ['comments', 'acts', 'blocks', 'mutes']) handle.run(`delete from ${table}`)
  handle.run("update users set comments_from = 'everyone', disabled_at = null")
  handle.run('update records set private = 0')
  clock.now = start
})

const comments = () => rowsOf(handle, 'comments').map(({ user_id, body }) => [user_id, body])

/** Opens the thread and sends what its form has, with this text. */
const write = async (who: Visitor, body: string, path = '/records/1?spoilers=show') => {
  const { text } = await who.open(path)
  return await who.post('/comments', { ...hiddenInputs(text, '/comments'), body })
}
const csrfOf = ({ text }: { readonly text: string }) => ({
  csrf: /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '',
})
const linesOf = (text: string) =>
  [...text.matchAll(/<p class="comment" dir="auto">([^<]*)<\/p>/g)].map(([, line]) => line)
const undoing = async (who: Visitor, text: string) => {
  const [, act = ''] = /name="act_id" value="([0-9]+)"/.exec(text) ?? []
  return await who.post('/undo', { ...hiddenInputs(text, '/undo'), act_id: act })
}

test('a comment is written, told in a message with its undo, and read by everybody who sees the record (D77)', async () => {
  const before = contentOf(handle)
  const done = await ritsu.follow((await write(ritsu, '同じところで\r\n泣いた')).location)
  expect(done.text).toContain('Commented on Garden of Falling Stars')
  expect(comments()).toEqual([[2, '同じところで\n泣いた']])
  const { text } = await mio.open('/records/1')
  expect(linesOf(text)).toEqual(['同じところで\n泣いた'])
  expect(text).toContain('<h2>Comments <small>1</small></h2>')
  await undoing(ritsu, done.text)
  expect(contentOf(handle)).toEqual(before)
})

test('the same press counts once, and the same text as the last comment is not written again', async () => {
  const { text } = await ritsu.open('/records/1?spoilers=show')
  const sent = { ...hiddenInputs(text, '/comments'), body: 'x', form_id: 'A'.repeat(22) }
  for (const _ of [1, 2]) expect((await ritsu.post('/comments', sent)).status).toBe(303)
  const again = await ritsu.follow((await write(ritsu, 'x')).location)
  expect(again.text).toContain('It was already like that, so nothing changed')
  expect(comments()).toEqual([[2, 'x']])
})

test('what is refused keeps its text on the page, with the reason', async () => {
  const refused = async (body: string, status: number, said: string) => {
    const page = await write(ritsu, body)
    expect([page.status, page.text.includes(said)]).toEqual([status, true])
    expect(page.text).toContain(`>\n${body}</textarea>`)
  }
  await refused('長'.repeat(1001), 422, 'must be at most 1000 characters')
  await refused(' ', 422, 'The comment was not sent')
  const row = `insert into comments (user_id, owner_id, record_id, body, created_at) values (?, 1, ?, ?, ?)`
  for (let at = 0; at < 30; at += 1) handle.run(row, [2, 2, `${at}`, start - 1000])
  await refused('多すぎる', 429, 'You have written 30 comments within an hour')
  handle.run('delete from comments')
  for (let at = 0; at < 500; at += 1) handle.run(row, [4, 1, `${at}`, 1])
  await refused('満員', 422, 'There are 500 comments here')
  handle.run('delete from comments')
  const { text } = await ritsu.open('/records/1?spoilers=show')
  handle.run("update users set comments_from = 'nobody' where id = 1")
  const late = await ritsu.post('/comments', { ...hiddenInputs(text, '/comments'), body: '遅かった' })
  expect(late.status).toBe(403)
  expect(late.text).toContain('Comments from you are no longer taken here.')
  expect(late.text).toContain('>\n遅かった</textarea>')
  handle.run("update users set comments_from = 'everyone' where id = 1")
  // Also of what was folded before.
  const folded = await azusa.post('/comments', {
    ...hiddenInputs(text, '/comments'),
    ...csrfOf(await azusa.open('/settings')),
    body: '長'.repeat(1001),
  })
  expect([folded.status, folded.text.includes('長長</textarea>')]).toEqual([422, true])
  expect(comments()).toEqual([])
})

test('whom comments are not taken from reads why instead of a field; the owner has it', async () => {
  handle.run("update users set comments_from = 'nobody' where id = 1")
  const [others, own] = [await ritsu.open('/records/1?spoilers=show'), await mio.open('/records/1')]
  expect(others.text).toContain('mio takes no comments from you.')
  expect([others.text, own.text].map((text) => text.includes('name="body"'))).toEqual([false, true])
})

test('a comment is deleted by its writer or by whose record it is, and comes back by undo', async () => {
  await write(ritsu, 'りつ')
  const before = contentOf(handle)
  expect((await azusa.open('/records/1?spoilers=show')).text).not.toContain('/comments/delete')
  for (const who of [ritsu, mio]) {
    const { text } = await who.open('/records/1?spoilers=show')
    const gone = await who.post('/comments/delete', hiddenInputs(text, '/comments/delete'))
    const done = await who.follow(gone.location)
    expect(done.text).toContain('Deleted a comment on Garden of Falling Stars')
    expect(comments()).toEqual([])
    await undoing(who, done.text)
    expect(contentOf(handle)).toEqual(before)
  }
})

test('a comment that its writer took back does not come back with the record (D77)', async () => {
  const done = await ritsu.follow((await write(ritsu, 'りつ')).location)
  const page = await mio.open('/works/1/episodes/1')
  const removed = await mio.post('/record/delete', hiddenInputs(page.text, '/record/delete'))
  const deleted = await mio.follow(removed.location)
  expect(comments()).toEqual([])
  await undoing(ritsu, done.text)
  await undoing(mio, deleted.text)
  expect(rowsOf(handle, 'records').map(({ id }) => id)).toContain(1)
  expect(comments()).toEqual([])
})

test('what may not be seen is not found, and visitors sign in first', async () => {
  handle.run('update records set private = 1 where id = 1')
  for (const path of ['/records/1', '/records/999', '/reviews/999', '/records/x'])
    expect([path, (await ritsu.open(path)).status]).toEqual([path, 404])
  expect((await mio.open('/records/1')).status).toBe(200)
  expect((await createVisitor(kiroku).open('/records/1')).location).toBe('/sign_in?return_to=%2Frecords%2F1')
})

test('text and comments are folded for whoever has not recorded the episode or watched the work', async () => {
  await write(mio, '結末の話', '/records/1')
  await write(mio, '結末の話', '/reviews/1')
  for (const path of ['/records/1', '/reviews/1']) {
    const folded = await azusa.open(path)
    expect([path, folded.text.includes('class="fold"'), linesOf(folded.text)]).toEqual([path, true, []])
    expect(folded.text).not.toMatch(/よかった|<p class="comment">庭/)
    expect(linesOf((await azusa.open(`${path}?spoilers=show`)).text)).toEqual(['結末の話'])
  }
})

test('those of muted, disabled and blocked people are left out, of deleted accounts kept', async () => {
  await write(ritsu, 'りつ')
  await write(azusa, 'あずさ')
  const shown = async (who: Visitor) => linesOf((await who.open('/records/1?spoilers=show')).text)
  handle.run('insert into mutes (user_id, muted_id, created_at) values (1, 2, 1)')
  expect([await shown(mio), await shown(ritsu)]).toEqual([['あずさ'], ['りつ', 'あずさ']])
  handle.run('delete from mutes')
  handle.run('update users set disabled_at = 1 where id = 4')
  expect(await shown(mio)).toEqual(['りつ'])
  handle.run('insert into deletions (user_id, keeps_comments, begun_at) values (4, 1, 1)')
  expect(await shown(mio)).toEqual(['りつ', 'あずさ'])
  handle.run('delete from deletions')
  handle.run('update users set disabled_at = null')
  handle.run('insert into blocks (user_id, blocked_id, created_at) values (4, 2, 1)')
  expect([await shown(mio), await shown(ritsu)]).toEqual([['りつ', 'あずさ'], ['りつ']])
})

test('the newest fifty are shown, oldest first; a link leads to those before', async () => {
  const row = `insert into comments (user_id, owner_id, record_id, body, created_at) values (4, 1, 1, ?, 1)`
  for (let at = 1; at <= 120; at += 1) handle.run(row, [`${at}`])
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => `${from + at}`)
  let page = await mio.open('/records/1')
  for (const [from, to] of [
    [71, 120],
    [21, 70],
    [1, 20],
  ] as const) {
    expect(linesOf(page.text)).toEqual(numbers(from, to))
    const [, next = ''] = /rel="next" href="([^"#]*)/.exec(page.text) ?? []
    expect(next === '').toBe(from === 1)
    if (next !== '') page = await mio.open(next)
  }
})

test('“3 comments” leads there from wherever a record with a text or a review is shown', async () => {
  for (const body of ['ひとつ', 'ふたつ', 'みっつ']) await write(azusa, body)
  await write(azusa, 'よっつ', '/reviews/1?spoilers=show')
  const links = (text: string) =>
    [...text.matchAll(/<a[^>]* href="(\/(?:records|reviews)\/[0-9]+)">(?:<svg[\s\S]*?<\/svg>)?([^<]*)/g)].map(
      ([, path, said]) => `${path} ${said}`,
    )
  const own = ['/works/1/episodes/1', '/@mio', '/@mio/diary/2026/3']
  for (const path of own) expect(links((await mio.open(path)).text)).toContain('/records/1 3 comments')
  expect(links((await mio.open('/works/1')).text)).toContain('/reviews/1 1 comment')
  expect(links((await ritsu.open('/works/1/episodes/1?spoilers=show')).text)).toEqual([
    '/records/1 3 comments',
  ])
  expect(links((await ritsu.open('/works/1?spoilers=show')).text).toSorted()).toEqual([
    '/records/1 3 comments',
    '/reviews/1 1 comment',
    '/reviews/2 Comment',
  ])
})
