import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createInstance } from '../support/instance'
import { personOf } from '../support/people'

const kiroku = await createInstance()
afterAll(kiroku.close)
const { store } = kiroku
const mio = await personOf(kiroku, 'mio')
const azusa = await personOf(kiroku, 'azusa')
const path = '/v1/me/reports'
const rows = () =>
  store.handle
    .query<Record<string, unknown>, []>(
      'select reporter_id, user_id, record_id, review_id, comment_id, reason, text, copy, closed_at from reports order by id',
    )
    .all()
/** A record or review of azusa's, with a text. */
const written = (table: 'records' | 'reviews', text: string) => {
  const columns = table === 'records' ? 'episode_id, comment, watched_at' : 'body'
  const values = table === 'records' ? '2, ?, 1' : '?'
  const [row] = store.handle
    .query<{ id: number }, [string]>(
      `insert into ${table} (user_id, work_id, ${columns}, created_at) values (4, 1, ${values}, 1) returning id`,
    )
    .all(text)
  return row?.id ?? 0
}
beforeEach(() => {
  store.handle.run('delete from reports')
})

describe('POST /v1/me/reports (people.md §8)', () => {
  test('refuses an unknown reason, a text of 1,001 characters, and anything but one thing', async () => {
    const record_id = written('records', 'x')
    const refused = (params: Record<string, string | number>) =>
      mio.refused('invalid_params', 'POST', path, params)
    expect(await refused({ record_id, reason: 'rude' })).toEqual([expect.stringMatching(/^reason must/)])
    expect(await refused({ record_id })).toEqual(['reason is required.'])
    expect(await refused({ record_id, reason: 'spam', text: '記'.repeat(1001) })).toEqual([
      expect.stringMatching(/^text must .*1000/),
    ])
    for (const params of [{}, { record_id, username: 'azusa' }, { record_id, review_id: 1 }])
      expect(await refused({ ...params, reason: 'spam' })).toEqual([
        'Exactly one of username, record_id, review_id, comment_id is required.',
      ])
    expect(rows()).toEqual([])
  })

  test('refuses what does not exist, and what is one’s own', async () => {
    const own = written('records', 'x')
    for (const params of [{ username: 'nobody' }, { record_id: 999_999 }, { review_id: 999_999 }])
      await mio.refused('not_found', 'POST', path, { ...params, reason: 'spam' })
    for (const params of [{ username: 'AZUSA' }, { record_id: own }])
      expect(await azusa.refused('invalid_params', 'POST', path, { ...params, reason: 'spam' })).toEqual([
        `${Object.keys(params)[0]} must not be the caller's own: users cannot report themselves.`,
      ])
    expect(rows()).toEqual([])
  })

  test('what its writer keeps private is not there to report', async () => {
    const record_id = written('records', 'x')
    store.handle.run('update records set private = 1 where id = ?', [record_id])
    expect(await mio.refused('not_found', 'POST', path, { record_id, reason: 'spam' })).toEqual([
      'The record does not exist.',
    ])
  })

  test('what its followers alone may see is there for them alone', async () => {
    const record_id = written('records', 'x')
    store.handle.run("update users set privacy = 'private', description = '内緒' where id = 4")
    store.handle.run('update records set withheld = 1 where id = ?', [record_id])
    const ritsu = await personOf(kiroku, 'Ritsu_T')
    store.handle.run('insert into follows (follower_id, followed_id, created_at) values (2, 4, 1)')
    await mio.refused('not_found', 'POST', path, { record_id, reason: 'spam' })
    await ritsu.done('POST', path, { record_id, reason: 'spam' })
    // Administrators read the copy of a profile even where the one who reports may not.
    await mio.done('POST', path, { username: 'azusa', reason: 'spam' })
    expect(rows()).toMatchObject([
      { reporter_id: 2, record_id },
      { reporter_id: 1, copy: '梓\n内緒' },
    ])
    store.handle.run("update users set privacy = 'members', description = '' where id = 4")
  })

  test('keeps a copy of what it said, also when that is changed or deleted', async () => {
    const [record_id, review_id] = [written('records', 'ひどい'), written('reviews', 'もっとひどい')]
    store.handle.run("update users set description = '宣伝', url = 'https://spam.example/' where id = 4")
    const text = '𝄞'.repeat(1000)
    await mio.done('POST', path, { record_id, reason: 'harassment', text })
    await mio.done('POST', path, { review_id, reason: 'spoiler' })
    await mio.done('POST', path, { username: 'Azusa', reason: 'spam' })
    store.handle.run("update records set comment = 'やさしい' where id = ?", [record_id])
    await azusa.done('DELETE', `/v1/me/reviews/${review_id}`)
    store.handle.run("update users set description = '', url = null where id = 4")
    const none = { record_id: null, review_id: null, comment_id: null, closed_at: null }
    const common = { reporter_id: 1, user_id: 4, ...none, text: '' }
    expect(rows()).toEqual([
      { ...common, record_id, reason: 'harassment', text, copy: 'ひどい' },
      { ...common, review_id, reason: 'spoiler', copy: 'もっとひどい' },
      { ...common, reason: 'spam', copy: '梓\n宣伝\nhttps://spam.example/' },
    ])
  })

  test('a comment is there for whoever sees it, and is reported with its text, once', async () => {
    const record_id = written('records', 'x')
    const comment = await azusa.done('POST', '/v1/me/comments', { record_id, body: 'ひどい<b>' })
    await azusa.refused('invalid_params', 'POST', path, { comment_id: comment.id, reason: 'spam' })
    for (let time = 0; time < 2; time++)
      await mio.done('POST', path, { comment_id: comment.id, reason: 'harassment' })
    await mio.done('POST', path, { record_id, reason: 'spam' })
    expect(rows()).toMatchObject([
      { user_id: 4, record_id: null, comment_id: comment.id, copy: 'ひどい<b>' },
      { record_id, comment_id: null },
    ])
    const other = await azusa.done('POST', '/v1/me/comments', { record_id, body: '消える' })
    store.handle.run('update records set private = 1 where id = ?', [record_id])
    await mio.refused('not_found', 'POST', path, { comment_id: other.id, reason: 'spam' })
    await mio.refused('not_found', 'POST', path, { comment_id: 999_999, reason: 'spam' })
    expect(rows()).toHaveLength(2)
  })

  test('twice is once, until somebody has decided', async () => {
    const record_id = written('records', 'x')
    const other = written('records', 'y')
    for (const reason of ['spam', 'other']) await mio.done('POST', path, { record_id, reason })
    await mio.done('POST', path, { record_id: other, reason: 'spam' })
    await mio.done('POST', path, { username: 'azusa', reason: 'spam' })
    await (await personOf(kiroku, 'Ritsu_T')).done('POST', path, { record_id, reason: 'spam' })
    expect(rows()).toHaveLength(4)
    store.handle.run("update reports set closed_at = 1, outcome = 'dismissed'")
    await mio.done('POST', path, { record_id, reason: 'spam' })
    expect(rows()).toHaveLength(5)
  })

  test('takes twenty a day from one person: 429 until the first is a day old', async () => {
    const ids = Array.from({ length: 22 }, () => written('records', 'x'))
    const send = (at: number) => mio.send('POST', `${path}?record_id=${ids[at]}&reason=spam`)
    for (let at = 0; at < 20; at++) {
      expect((await send(at)).status).toBe(204)
      kiroku.clock.now += 60_000
    }
    const refused = await send(20)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(24 * 3600 - 20 * 60)])
    expect(await refused.json()).toMatchObject({ errors: [{ type: 'rate_limited' }] })
    // What is reported already needs no further report; others are not held back.
    expect((await send(3)).status).toBe(204)
    await azusa.done('POST', path, { username: 'mio', reason: 'other' })
    expect(rows()).toHaveLength(21)
    kiroku.clock.now += 24 * 3_600_000 - 20 * 60_000
    expect([(await send(20)).status, (await send(21)).status]).toEqual([204, 429])
  })
})
