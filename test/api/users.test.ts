import { afterAll, describe, expect, test } from 'bun:test'
import { type Body, createInstance, idsOf, pathsOf, refusals, withToken } from '../support/instance'

const kiroku = await createInstance()
const { ask, get, json, store } = kiroku
afterAll(kiroku.close)

const counts = {
  records_count: 0,
  followings_count: 0,
  followers_count: 0,
  wanna_watch_count: 0,
  watching_count: 0,
  watched_count: 0,
  on_hold_count: 0,
  stop_watching_count: 0,
}
const mio = {
  id: 1,
  username: 'mio',
  name: 'みお',
  description: '庭が好き',
  url: 'https://mio.example/',
  avatar_url: 'http://localhost:3000/assets/avatar.svg',
  background_image_url: 'http://localhost:3000/assets/background.svg',
  ...counts,
  created_at: '2025-06-15T15:06:40.001Z',
}
/** What only a user sees about themselves, besides the address. */
const own = {
  ...{ notifications_count: 0, profile: 'members', private_by_default: false, comments_from: 'everyone' },
  ...{ listed: true, indexable: false },
}
const ritsu = {
  ...mio,
  id: 2,
  username: 'Ritsu_T',
  name: '律',
  description: '',
  url: null,
  avatar_url: 'https://ritsu.example/a.png',
  created_at: '2025-06-15T15:06:40.002Z',
}

test('GET /v1/users returns users; e-mail addresses are not among their fields (D21)', async () => {
  const body = await json('/v1/users?per_page=2')
  expect(body).toEqual({ users: [mio, ritsu], total_count: 4, next_page: 2, prev_page: null })
  expect(JSON.stringify(await json('/v1/users'))).not.toMatch(/example\.com|email|password|hash/)
})

test('nothing about another user can be selected that is not in the list', async () => {
  const { users } = await json('/v1/users?fields=email,password_hash,email_key,is_admin,notifications_count')
  expect(users).toEqual([{}, {}, {}, {}])
})

describe('filter_usernames', () => {
  const ids = async (names: string) => idsOf(await json(`/v1/users?filter_usernames=${names}`))

  test.each([
    ['mio', [1]],
    ['MIO', [1]],
    ['ritsu_t', [2]],
    ['RITSU_T,mio', [1, 2]],
    [',mio,,mio,', [1]],
    ['nobody', []],
    ['mi', []],
    [',', []],
  ])('%s finds %j', async (names, found) => {
    expect(await ids(names)).toEqual(found)
  })

  test.each(['mio%20', 'm-io', '%E3%81%BF%E3%81%8A', '%EF%BD%8D', 'mio;yui', '*', '%25'])(
    '%s is refused',
    async (names) => {
      const said = await refusals(await get(`/v1/users?filter_usernames=${names}`), 'invalid_params')
      expect(said).toEqual([expect.stringMatching(/^filter_usernames must /)])
    },
  )

  test('can be combined with filter_ids', async () => {
    expect(
      idsOf(await json('/v1/users?filter_usernames=mio,yui,azusa&filter_ids=3,4,1&sort_id=desc')),
    ).toEqual([4, 3, 1])
    expect(await json('/v1/users?filter_usernames=mio&filter_ids=2')).toMatchObject({
      users: [],
      total_count: 0,
    })
  })
})

describe('GET /v1/me', () => {
  test("returns the caller's own profile, including what only that user may see", async () => {
    expect(await json('/v1/me')).toEqual({ ...mio, ...own, email: 'mio@example.com' })
    const token = await kiroku.tokenOf('Ritsu_T', 'read')
    const profile: Body = await (await ask('/v1/me', withToken(token))).json()
    expect(profile).toEqual({ ...ritsu, ...own, email: 'ritsu@example.com' })
  })

  test('accepts fields and nothing else', async () => {
    expect(await json('/v1/me?fields=email,username')).toEqual({ username: 'mio', email: 'mio@example.com' })
    expect(await json('/v1/me?fields=nothing')).toEqual({})
    expect(pathsOf(await json('/v1/me?page=0&per_page=x&sort_id=x'))).toHaveLength(23)
  })

  test('returns the current state', async () => {
    store.handle.run("update users set name = '澪', email = 'new@example.com' where id = 1")
    store.handle.run(
      'insert into notifications (user_id, actor_id, created_at) values (1, 2, 1), (1, 2, 2), (1, 4, 3)',
    )
    const fields = 'name,email,notifications_count'
    expect(await json(`/v1/me?fields=${fields}`)).toEqual({
      name: '澪',
      email: 'new@example.com',
      notifications_count: 3,
    })
    expect((await json('/v1/users?filter_ids=1&fields=name')).users).toEqual([{ name: '澪' }])
  })
})
