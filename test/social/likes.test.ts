import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createInstance, idsOf, itemsOf, start } from '../support/instance'
import { type Params, personOf, userNow } from '../support/people'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { clock, json, store } = kiroku
const [mio, ritsu, azusa] = [
  await personOf(kiroku, 'mio'),
  await personOf(kiroku, 'Ritsu_T'),
  await personOf(kiroku, 'azusa'),
]
afterAll(kiroku.close)

const path = '/v1/me/likes'
const like = (who: typeof mio, params: Params, method = 'POST') => who.done(method, path, params)
const likes = async (list: string, id: number) =>
  (await json(`/v1/${list}?filter_ids=${id}`))[list][0].likes_count
const unread = async (who: typeof mio) => (await who.json('/v1/me')).notifications_count

beforeEach(() => {
  for (const table of ['likes', 'follows']) store.handle.run(`delete from ${table}`)
  clock.now = start
})

describe.each(['POST', 'DELETE'])('%s /v1/me/likes (D52)', (method) => {
  test('refuses none and both, and invalid ids', async () => {
    const one = 'Exactly one of record_id, review_id is required.'
    expect(await mio.refused('invalid_params', method, path, {})).toEqual([one])
    expect(await mio.refused('invalid_params', method, path, { record_id: 1, review_id: 1 })).toEqual([one])
    expect(await mio.refused('invalid_params', method, path, { record_id: ' ', review_id: null })).toEqual([
      one,
    ])
    for (const odd of [0, -1, 1.5, '1,2', 'x', true]) {
      expect(await mio.refused('invalid_params', method, path, { record_id: odd, review_id: 1 })).toEqual([
        'record_id must be a positive integer of at most 15 digits.',
      ])
    }
  })

  test('refuses an unknown record and an unknown review', async () => {
    expect(await mio.refused('not_found', method, path, { record_id: 999 })).toEqual([
      'The record does not exist.',
    ])
    expect(await mio.refused('not_found', method, path, { review_id: 999 })).toEqual([
      'The review does not exist.',
    ])
  })

  test('is 204 without a body, however often it is sent', async () => {
    for (const target of [`${path}?record_id=2`, `${path}?review_id=2`, `${path}?record_id=2`]) {
      const response = await mio.send(method, target)
      expect([response.status, await response.text()]).toEqual([204, ''])
    }
  })
})

describe.each([
  ['record_id', 'records'],
  ['review_id', 'reviews'],
])('a like of a %s', (name, list) => {
  // Record 2 and review 2 are Ritsu_T's.
  const target = { [name]: 2 }

  test('counts once per user, until it is removed (D40)', async () => {
    await like(mio, target)
    await like(mio, target)
    expect(await likes(list, 2)).toBe(1)
    await like(azusa, target)
    await like(ritsu, target)
    expect(await likes(list, 2)).toBe(3)
    await like(mio, target, 'DELETE')
    await like(mio, target, 'DELETE')
    expect(await likes(list, 2)).toBe(2)
    expect(await likes(list === 'records' ? 'reviews' : 'records', 2)).toBe(0)
  })

  test('notifies the author once, and never the user who likes', async () => {
    await like(mio, target)
    await like(mio, target)
    await like(ritsu, target)
    expect([await unread(ritsu), await unread(mio)]).toEqual([1, 0])
    await like(azusa, target)
    expect(await unread(ritsu)).toBe(2)
  })

  test('no longer notifies when it is removed, read or not', async () => {
    await like(mio, target)
    await like(mio, target, 'DELETE')
    expect([await unread(ritsu), itemsOf(await ritsu.json('/v1/me/notifications'))]).toEqual([0, []])
    await like(mio, target)
    await ritsu.done('POST', '/v1/me/notifications/read')
    await like(mio, target, 'DELETE')
    expect([await unread(ritsu), itemsOf(await ritsu.json('/v1/me/notifications'))]).toEqual([0, []])
  })

  test('does not change is_modified and modified_at', async () => {
    const before = (await json(`/v1/${list}?filter_ids=2`))[list][0]
    await like(mio, target)
    expect((await json(`/v1/${list}?filter_ids=2`))[list][0]).toEqual({ ...before, likes_count: 1 })
  })
})

describe('GET /v1/me/notifications (D52)', () => {
  beforeEach(async () => {
    await azusa.done('POST', '/v1/me/follows', { username: 'Ritsu_T' })
    clock.now += 1000
    await like(mio, { record_id: 2 })
    await like(azusa, { review_id: 2 })
  })

  test("returns the caller's own, whoever did what, and nobody else's", async () => {
    const body = await ritsu.json('/v1/me/notifications')
    const [first = 0, second, third] = idsOf(body)
    const { user, work, episode, ...record } = (await json('/v1/records?filter_ids=2')).records[0]
    const { user: author, work: about, ...review } = (await json('/v1/reviews?filter_ids=2')).reviews[0]
    const [is_read, created_at] = [false, '2026-04-01T12:00:01.000Z']
    const none = { comment: null, work: null, episode: null, proposal: null }
    const [userMio, userAzusa] = [await userNow(kiroku, 1), await userNow(kiroku, 4)]
    expect(body).toEqual({
      notifications: [
        {
          id: first,
          user: userAzusa,
          action: 'follow',
          is_read,
          created_at: '2026-04-01T12:00:00.000Z',
          ...none,
        },
        { id: second, user: userMio, action: 'like', is_read, created_at, record, ...none },
        { id: third, user: userAzusa, action: 'like', is_read, created_at, review, ...none },
      ],
      total_count: 3,
      next_page: null,
      prev_page: null,
    })
    expect(itemsOf(await mio.json('/v1/me/notifications'))).toEqual([])
  })

  test('newest first on request, in pages, with fields', async () => {
    const asked = '/v1/me/notifications?sort_id=desc&per_page=2&fields=action,review.id'
    expect(await ritsu.json(asked)).toEqual({
      notifications: [{ action: 'like', review: { id: 2 } }, { action: 'like' }],
      total_count: 3,
      next_page: 2,
      prev_page: null,
    })
  })

  test('reading them all is 204 and idempotent; the unread count is notifications_count', async () => {
    expect(await unread(ritsu)).toBe(3)
    for (let time = 0; time < 2; time++) {
      const response = await ritsu.send('POST', '/v1/me/notifications/read')
      expect([response.status, await response.text()]).toEqual([204, ''])
      expect(await unread(ritsu)).toBe(0)
    }
    expect(itemsOf(await ritsu.json('/v1/me/notifications')).map(({ is_read }) => is_read)).toEqual([
      true,
      true,
      true,
    ])
    await like(azusa, { record_id: 3 })
    expect(await unread(ritsu)).toBe(1)
    const count = async (flag: string) =>
      (await ritsu.json(`/v1/me/notifications?filter_unread=${flag}`)).total_count
    expect([await count('true'), await count('false')]).toEqual([1, 3])
  })

  test("reading one's own does not mark anybody else's as read", async () => {
    await mio.done('POST', '/v1/me/notifications/read')
    expect(await unread(ritsu)).toBe(3)
  })
})
