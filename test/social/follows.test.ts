import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createInstance, idsOf, itemsOf, query } from '../support/instance'
import { personOf } from '../support/people'

const kiroku = await createInstance()
const { json, store } = kiroku
const people = {
  mio: await personOf(kiroku, 'mio'),
  ritsu: await personOf(kiroku, 'Ritsu_T'),
  azusa: await personOf(kiroku, 'azusa'),
}
const { mio, ritsu, azusa } = people
afterAll(kiroku.close)

const follow = (who = mio, username = 'Ritsu_T', method = 'POST') =>
  who.done(method, '/v1/me/follows', { username })
const ids = async (target: string) => {
  const body = await json(target)
  expect([target, body.total_count]).toEqual([target, idsOf(body).length])
  return idsOf(body)
}
const unread = async (who = ritsu) => (await who.json('/v1/me')).notifications_count
const counts = async (who = mio) => {
  const { followings_count, followers_count } = await who.json('/v1/me')
  return [followings_count, followers_count]
}

beforeEach(() => {
  for (const table of ['follows', 'mutes']) store.handle.run(`delete from ${table}`)
})

describe.each([
  ['/v1/me/follows', 'follow'],
  ['/v1/me/mutes', 'mute'],
])('%s (D52)', (path, verb) => {
  describe.each(['POST', 'DELETE'])('%s', (method) => {
    test('refuses an unknown, a missing and an invalid username, and oneself', async () => {
      expect(await mio.refused('not_found', method, path, { username: 'nobody' })).toEqual([
        'The user does not exist.',
      ])
      expect(await mio.refused('invalid_params', method, path, {})).toEqual(['username is required.'])
      for (const username of ['mi o', 'みお', 'mio,ritsu', '%', 'ｍio']) {
        expect(await mio.refused('invalid_params', method, path, { username })).toEqual([
          expect.stringMatching(/^username must be a username of/),
        ])
      }
      for (const username of ['mio', 'MIO']) {
        expect(await mio.refused('invalid_params', method, path, { username })).toEqual([
          `username must not be the caller's own: users cannot ${verb} themselves.`,
        ])
      }
    })

    test('is 204 without a body, however often it is sent', async () => {
      for (let time = 0; time < 3; time++) {
        const response = await mio.send(method, `${path}?username=ritsu_T`)
        expect([response.status, await response.text()]).toEqual([204, ''])
      }
    })
  })
})

describe('following (D52)', () => {
  test('follows once, whatever the case of the name, and counts for both', async () => {
    await follow()
    await follow(mio, 'RITSU_t')
    expect([await counts(mio), await counts(ritsu)]).toEqual([
      [1, 0],
      [0, 1],
    ])
    expect(await ids('/v1/following?filter_username=mio')).toEqual([2])
    await follow(mio, 'Ritsu_T', 'DELETE')
    await follow(mio, 'Ritsu_T', 'DELETE')
    expect([await counts(mio), await counts(ritsu)]).toEqual([
      [0, 0],
      [0, 0],
    ])
  })

  test('notifies the followed user once, and no longer when it ends', async () => {
    await follow()
    await follow()
    expect([await unread(ritsu), await unread(mio)]).toEqual([1, 0])
    expect(itemsOf(await ritsu.json('/v1/me/notifications'))).toMatchObject([
      { action: 'follow', is_read: false, user: { id: 1 } },
    ])
    await follow(mio, 'Ritsu_T', 'DELETE')
    expect([await unread(), itemsOf(await ritsu.json('/v1/me/notifications'))]).toEqual([0, []])
    await follow()
    expect(await unread()).toBe(1)
  })

  test('a disabled user is still a user', async () => {
    await follow(mio, 'yui')
    expect(await ids('/v1/followers?filter_user_id=3')).toEqual([1])
  })
})

describe('GET /v1/followers and /v1/following (D19)', () => {
  // Follows by id: azusa → mio, mio → ritsu, ritsu → mio, mio → azusa.
  beforeEach(async () => {
    await follow(azusa, 'mio')
    await follow(mio, 'Ritsu_T')
    await follow(ritsu, 'mio')
    await follow(mio, 'azusa')
  })

  test.each<[string, string, number[]]>([
    ['followers', '', [4, 1, 2, 1]],
    ['following', '', [1, 2, 1, 4]],
    ['followers', 'sort_id=desc', [1, 2, 1, 4]],
    ['following', 'sort_id=desc', [4, 1, 2, 1]],
    ['followers', 'sort_id=asc', [4, 1, 2, 1]],
    ['followers', 'filter_user_id=1', [4, 2]],
    ['following', 'filter_user_id=1', [2, 4]],
    ['followers', 'filter_username=MIO&sort_id=desc', [2, 4]],
    ['following', 'filter_username=ritsu_t', [1]],
    ['followers', 'filter_user_id=1&filter_username=mio', [4, 2]],
    ['followers', 'filter_user_id=1&filter_username=azusa', []],
    ['following', 'filter_user_id=4&filter_username=mio', []],
    ['followers', 'filter_user_id=99', []],
    ['following', 'filter_user_id=99', []],
    ['followers', 'filter_username=nobody', []],
    ['following', 'filter_username=nobody', []],
    ['followers', 'filter_user_id=3', []],
  ])('%s?%s', async (list, asked, users) => {
    expect(await ids(`/v1/${list}?${asked}`)).toEqual(users)
  })

  test('return users with all fields, under the key users, even duplicates', async () => {
    const [ritsuNow] = (await json('/v1/users?filter_ids=2')).users
    expect(await json('/v1/following?filter_username=mio&per_page=1')).toEqual({
      users: [ritsuNow],
      total_count: 2,
      next_page: 2,
      prev_page: null,
    })
    expect((await json('/v1/followers?fields=username')).users).toEqual([
      { username: 'azusa' },
      { username: 'mio' },
      { username: 'Ritsu_T' },
      { username: 'mio' },
    ])
  })

  test('have pages', async () => {
    const page = (number: number, more = '') => json(`/v1/followers?per_page=3&page=${number}${more}`)
    expect([idsOf(await page(1)), idsOf(await page(2)), idsOf(await page(3))]).toEqual([[4, 1, 2], [1], []])
    expect([idsOf(await page(1, '&sort_id=desc')), idsOf(await page(2, '&sort_id=desc'))]).toEqual([
      [1, 2, 1],
      [4],
    ])
  })

  test('refuse bad filters', async () => {
    for (const list of ['followers', 'following']) {
      for (const bad of [{ filter_user_id: '0' }, { filter_user_id: '1,2' }, { filter_username: 'a b' }]) {
        expect(await mio.refused('invalid_params', 'GET', `/v1/${list}${query(bad)}`)).toHaveLength(1)
      }
    }
  })

  test('are not changed by a mute', async () => {
    await mio.done('POST', '/v1/me/mutes', { username: 'azusa' })
    expect(await ids('/v1/following?filter_username=mio')).toEqual([2, 4])
    expect(await counts(mio)).toEqual([2, 2])
  })
})
