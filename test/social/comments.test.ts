import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { findDrift } from '../../src/catalogue/counters/recount'
import { createInstance, itemsOf, start } from '../support/instance'
import { type Params, personOf, userNow } from '../support/people'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { clock, store } = kiroku
const { handle } = store
const [mio, ritsu, azusa] = [
  await personOf(kiroku, 'mio'),
  await personOf(kiroku, 'Ritsu_T'),
  await personOf(kiroku, 'azusa'),
]
afterAll(kiroku.close)

const path = '/v1/me/comments'
const comment = (who: typeof mio, params: Params) => who.done('POST', path, params)
const under = async (who: typeof mio, of = 'filter_record_id=1') =>
  itemsOf(await who.json(`/v1/comments?${of}&per_page=50`)).map(({ body }) => body)
const told = (id: number) =>
  handle
    .query("select user_id from notifications where kind = 'comment' and comment_id = ? order by user_id")
    .values(id)
    .flat()
const minute = 60_000

beforeEach(() => {
  for (const table of ['comments', 'blocks', 'mutes']) handle.run(`delete from ${table}`)
  handle.run("update users set comments_from = 'everyone', privacy = 'members'")
  handle.run('update records set private = 0, hidden_by = null')
  clock.now = start
})

describe('GET /v1/comments (D77)', () => {
  test('refuses none and both of its filters', async () => {
    for (const query of ['', '?filter_record_id=1&filter_review_id=1', '?filter_record_id='])
      expect(await mio.refused('invalid_params', 'GET', `/v1/comments${query}`)).toEqual([
        'Exactly one of filter_record_id, filter_review_id is required.',
      ])
  })

  test('lists those under one record or one review, oldest first or newest first', async () => {
    const first = await comment(ritsu, { record_id: 1, body: 'ひとつ' })
    await comment(azusa, { record_id: 1, body: 'ふたつ' })
    await comment(azusa, { review_id: 1, body: 'みっつ' })
    expect(await under(mio)).toEqual(['ひとつ', 'ふたつ'])
    expect(await under(mio, 'filter_record_id=1&sort_id=desc')).toEqual(['ふたつ', 'ひとつ'])
    expect(await under(mio, 'filter_review_id=1')).toEqual(['みっつ'])
    expect(await under(mio, 'filter_record_id=999999')).toEqual([])
    expect(first).toEqual({
      ...{ id: first.id, body: 'ひとつ', created_at: '2026-04-01T12:00:00.000Z' },
      user: { ...(await userNow(kiroku, 2)) },
      ...{ record_id: 1, review_id: null },
    })
  })

  test('whoever does not see the record sees none of them, nor that there are any', async () => {
    await comment(ritsu, { record_id: 1, body: 'ひとつ' })
    handle.run('update records set private = 1 where id = 1')
    expect([await under(ritsu), await under(mio)]).toEqual([[], ['ひとつ']])
    expect((await ritsu.json('/v1/comments?filter_record_id=1')).total_count).toBe(0)
    handle.run('update records set private = 0 where id = 1')
    handle.run("update users set privacy = 'private' where id = 1")
    // Ritsu follows mio, azusa does not.
    handle.run('update records set withheld = 1 where id = 1')
    expect([await under(ritsu), await under(azusa)]).toEqual([['ひとつ'], []])
    handle.run("update users set privacy = 'members' where id = 1")
    handle.run('update records set withheld = 0 where id = 1')
  })

  test('between two of whom one has blocked the other, neither sees the other’s (D78)', async () => {
    await comment(ritsu, { record_id: 1, body: 'りつ' })
    await comment(azusa, { record_id: 1, body: 'あずさ' })
    handle.run('insert into blocks (user_id, blocked_id, created_at) values (2, 4, 1)')
    expect([await under(ritsu), await under(azusa), await under(mio)]).toEqual([
      ['りつ'],
      ['あずさ'],
      ['りつ', 'あずさ'],
    ])
  })

  test('what a moderator hid is its writer’s alone, and counted no more', async () => {
    const { id } = await comment(ritsu, { record_id: 1, body: 'りつ' })
    handle.run('update comments set hidden_by = 3 where id = ?', [id])
    expect([await under(ritsu), await under(azusa), await under(mio)]).toEqual([['りつ'], [], []])
    expect((await mio.json('/v1/records?filter_ids=1')).records[0].comments_count).toBe(0)
  })
})

describe('POST /v1/me/comments (D77)', () => {
  test('refuses none, both, a blank text, and one of 1,001 characters', async () => {
    const refused = (params: Params) => mio.refused('invalid_params', 'POST', path, params)
    for (const target of [{}, { record_id: 2, review_id: 2 }])
      expect(await refused({ ...target, body: 'x' })).toEqual([
        'Exactly one of record_id, review_id is required.',
      ])
    for (const body of ['', ' \n', undefined])
      expect(await refused({ record_id: 2, body })).toEqual(['body is required.'])
    expect(await refused({ record_id: 2, body: '🍥'.repeat(1001) })).toEqual([
      expect.stringMatching(/^body must .*1000/),
    ])
    const longest = '🍥'.repeat(1000)
    expect((await comment(mio, { record_id: 2, body: ` ${longest}\n` })).body).toBe(longest)
  })

  test('what cannot be seen is not there', async () => {
    handle.run('update records set private = 1 where id = 1')
    for (const params of [{ record_id: 1 }, { record_id: 999_999 }, { review_id: 999_999 }])
      await ritsu.refused('not_found', 'POST', path, { ...params, body: 'x' })
    handle.run('update records set private = 0 where id = 1')
    handle.run('insert into blocks (user_id, blocked_id, created_at) values (1, 2, 1)')
    await ritsu.refused('not_found', 'POST', path, { record_id: 1, body: 'x' })
  })

  test('the same text again, while it is the last one, is the same comment', async () => {
    const first = await comment(ritsu, { record_id: 1, body: 'りつ' })
    expect(await comment(ritsu, { record_id: 1, body: ' りつ ' })).toEqual(first)
    await comment(azusa, { record_id: 1, body: 'りつ' })
    expect((await comment(ritsu, { record_id: 1, body: 'りつ' })).id).not.toBe(first.id)
    expect(await under(mio)).toEqual(['りつ', 'りつ', 'りつ'])
  })

  test('comments_count follows, of records in REST and GraphQL, and of reviews', async () => {
    const count = async () => (await mio.json('/v1/records?filter_ids=1')).records[0].comments_count
    const inGraphql = async () => {
      const query = '{ viewer { records { nodes { annictId commentsCount } } } }'
      const { data } = await mio.done('POST', '/graphql', { query })
      return data.viewer.records.nodes[0].commentsCount
    }
    expect([await count(), await inGraphql()]).toEqual([0, 0])
    const { id } = await comment(ritsu, { record_id: 1, body: 'ひとつ' })
    await comment(mio, { record_id: 1, body: 'ふたつ' })
    await comment(mio, { review_id: 2, body: 'みっつ' })
    expect([await count(), await inGraphql()]).toEqual([2, 2])
    expect(handle.query('select comments_count from reviews where id = 2').values()).toEqual([[1]])
    await ritsu.done('DELETE', `${path}/${id}`)
    expect([await count(), await inGraphql()]).toEqual([1, 1])
    expect(findDrift(handle)).toEqual([])
  })

  test('whom the owner does not take comments from gets a 403, the owner never', async () => {
    const closed = ['record_id must be of somebody who takes comments from the caller.']
    handle.run("update users set comments_from = 'following' where id = 1")
    // Mio follows both; nobody follows back but Ritsu.
    handle.run('delete from follows where follower_id = 1 and followed_id = 4')
    await comment(ritsu, { record_id: 1, body: 'りつ' })
    expect(await azusa.refused('forbidden', 'POST', path, { record_id: 1, body: 'x' })).toEqual(closed)
    handle.run("update users set comments_from = 'nobody' where id = 1")
    expect(await ritsu.refused('forbidden', 'POST', path, { record_id: 1, body: 'x' })).toEqual(closed)
    await comment(mio, { record_id: 1, body: 'みお' })
    expect(await under(mio)).toEqual(['りつ', 'みお'])
  })

  test('30 within an hour, by one person; the 31st has to wait until the first is an hour old', async () => {
    for (let at = 0; at < 30; at += 1) {
      clock.now = start + at * minute
      await comment(ritsu, { record_id: 1 + (at % 3), body: `${at}` })
    }
    const refused = await ritsu.send('POST', path, { record_id: 1, body: 'more' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(31 * 60)])
    await comment(azusa, { record_id: 1, body: 'あずさ' })
    clock.now = start + 60 * minute - 1
    expect((await ritsu.send('POST', path, { record_id: 1, body: 'more' })).status).toBe(429)
    clock.now += 1
    await comment(ritsu, { record_id: 1, body: 'more' })
  })

  test('500 under one record; another one is refused with the limit', async () => {
    const row = `insert into comments (user_id, owner_id, record_id, body, created_at) values (4, 1, 1, ?, 1)`
    for (let at = 0; at < 499; at += 1) handle.run(row, [`${at}`])
    await comment(ritsu, { record_id: 1, body: '500' })
    expect(await ritsu.refused('invalid_params', 'POST', path, { record_id: 1, body: '501' })).toEqual([
      'record_id must have fewer than 500 comments.',
    ])
    expect((await mio.json('/v1/comments?filter_record_id=1')).total_count).toBe(500)
    await comment(ritsu, { record_id: 2, body: 'elsewhere' })
  })
})

describe('DELETE /v1/me/comments/:id (D77)', () => {
  test('by its writer, and by whose record it stands under; by nobody else', async () => {
    const [one, two] = [
      await comment(ritsu, { record_id: 1, body: 'ひとつ' }),
      await comment(ritsu, { record_id: 1, body: 'ふたつ' }),
    ]
    expect(await azusa.refused('not_found', 'DELETE', `${path}/${one.id}`)).toEqual([
      'The comment does not exist.',
    ])
    await ritsu.done('DELETE', `${path}/${one.id}`)
    await mio.done('DELETE', `${path}/${two.id}`)
    await ritsu.refused('not_found', 'DELETE', `${path}/${one.id}`)
    expect(await under(mio)).toEqual([])
  })

  test('with the record go its comments, and what told of them', async () => {
    const record = await mio.done('POST', '/v1/me/records', { episode_id: 4 })
    const { id } = await comment(ritsu, { record_id: record.id, body: 'x' })
    expect(told(id)).toEqual([1])
    await mio.done('DELETE', `/v1/me/records/${record.id}`)
    expect(told(id)).toEqual([])
    expect(handle.query('select * from comments').all()).toEqual([])
  })
})

describe('a comment tells (D118)', () => {
  test('the owner and who commented before, nobody of their own', async () => {
    const first = await comment(ritsu, { record_id: 1, body: 'りつ' })
    const second = await comment(azusa, { record_id: 1, body: 'あずさ' })
    const third = await comment(mio, { record_id: 1, body: 'みお' })
    expect([told(first.id), told(second.id), told(third.id)]).toEqual([[1], [1, 2], [2, 4]])
    const [newest] = itemsOf(await ritsu.json('/v1/me/notifications?sort_id=desc'))
    expect(newest).toMatchObject({
      ...{ action: 'comment', is_read: false },
      user: { username: 'mio' },
      comment: { id: third.id, body: 'みお' },
      record: { id: 1 },
    })
  })

  test('nobody who muted the writer, has a block, or no longer sees the record', async () => {
    await comment(ritsu, { record_id: 1, body: 'りつ' })
    handle.run('insert into mutes (user_id, muted_id, created_at) values (2, 4, 1)')
    expect(told((await comment(azusa, { record_id: 1, body: 'ひとつ' })).id)).toEqual([1])
    handle.run('delete from mutes')
    handle.run('insert into blocks (user_id, blocked_id, created_at) values (4, 2, 1)')
    expect(told((await comment(azusa, { record_id: 1, body: 'ふたつ' })).id)).toEqual([1])
    handle.run('delete from blocks')
    handle.run('update records set private = 1 where id = 1')
    expect(told((await comment(mio, { record_id: 1, body: 'みっつ' })).id)).toEqual([])
  })

  test('of what one can no longer see, or by whom one muted since, the list tells no more', async () => {
    const { id } = await comment(mio, { record_id: 1, body: 'みお' })
    await comment(ritsu, { record_id: 1, body: 'りつ' })
    await comment(mio, { record_id: 1, body: 'みお、二度' })
    const heard = async (who: typeof mio) =>
      itemsOf(await who.json('/v1/me/notifications?per_page=50')).flatMap(
        ({ comment }) => comment?.body ?? [],
      )
    const unread = async () => (await mio.json('/v1/me')).notifications_count
    const before = await unread()
    expect([await heard(ritsu), await heard(mio)]).toEqual([['みお、二度'], ['りつ']])
    handle.run('update records set private = 1 where id = 1')
    expect([await heard(ritsu), await heard(mio)]).toEqual([[], ['りつ']])
    handle.run('insert into mutes (user_id, muted_id, created_at) values (1, 2, 1)')
    expect([before > 0, await heard(mio), await unread()]).toEqual([true, [], 0])
    expect(told(id)).toEqual([])
  })
})
