import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { beginDeletion, finishDeletion, finishDeletions } from '../../../src/accounts/account/deletion'
import { createUser } from '../../../src/accounts/account/user'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { repair } from '../../../src/catalogue/counters/repair'
import { createInstance, type Instance, idsOf } from '../../support/instance'
import { deeds, perform, rowsOf } from '../../support/member-rows'
import { seedLibrary } from '../../support/seed-library'

let kiroku: Instance
beforeAll(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
})
afterAll(() => kiroku.close())

const rows = (instance: Instance, sql: string) => instance.store.handle.query(sql).values()

async function remove(instance: Instance, userId: number, keepsComments = false) {
  await beginDeletion(instance.deps, { userId, keepsComments })
  await finishDeletion(instance.deps, userId)
}

describe('the last administrator', () => {
  test('cannot be deleted, and the account stays unchanged', async () => {
    kiroku.store.handle.run(
      'update users set is_admin = 1, disabled_at = iif(id = 3, 1, null) where id in (1, 3)',
    )
    const before = rows(kiroku, 'select * from users')
    await expect(beginDeletion(kiroku.deps, { userId: 1, keepsComments: false })).rejects.toThrow(
      'this is the only administrator: make someone else an administrator first',
    )
    expect(rows(kiroku, 'select * from users')).toEqual(before)
    expect(rows(kiroku, 'select * from deletions')).toEqual([])
  })

  test('can be deleted once there is another one', async () => {
    kiroku.store.handle.run('update users set disabled_at = null where id = 3')
    await remove(kiroku, 3)
    expect(rows(kiroku, 'select id from users where id = 3')).toEqual([])
  })
})

test.each(['deleted_5', 'Deleted_x'])(
  'nobody can take the name %s of a deleted account (D50)',
  (username) => {
    const asked = { username, email: 'x@example.com', password: 'correct horse', isAdmin: false }
    expect(createUser(kiroku.deps, asked)).rejects.toThrow(`the username ${username} is reserved`)
  },
)

describe('an account deleted without its comments', () => {
  test('stays as an account without a name that nobody can sign in with, and keeps its comments and their likes', async () => {
    const instance = await createInstance({ seed: seedLibrary })
    const { handle } = instance.store
    handle.run("update users set url = 'https://r.example/', description = 'x' where id = 2")
    handle.run('insert into likes (user_id, record_id, created_at) values (4, 3, 1)')
    await remove(instance, 2, true)
    const [left] = handle.query('select * from users where id = 2').all()
    expect(left).toMatchObject({
      ...{ username: 'deleted_2', name: '', description: '', url: null, email: '', password_hash: '' },
      ...{
        is_admin: 0,
        records_count: 2,
        followers_count: 0,
        watching_count: 0,
        disabled_at: instance.clock.now,
      },
    })
    expect(JSON.stringify(left)).not.toMatch(/ritsu|example/i)
    const kept = { 'deletions.user_id': 1, 'records.user_id': 2, 'reviews.user_id': 1 }
    expect(rowsOf(handle, 2)).toEqual({ ...kept, 'comments.user_id': 1, 'comments.owner_id': 1 })
    expect(rows(instance, 'select id, likes_count from records where user_id = 2')).toEqual([
      [3, 1],
      [4, 0],
    ])
    const shown = await instance.json('/v1/records?filter_ids=3')
    expect(shown.records[0].user).toMatchObject({ username: 'deleted_2', name: '' })
    expect(findDrift(handle)).toEqual([])
    await instance.close()
  })

  test('cannot be followed or muted (404) and gets no notifications: what was deleted stays deleted', async () => {
    const instance = await createInstance({ seed: seedLibrary })
    await remove(instance, 2, true)
    const left = rowsOf(instance.store.handle, 2)
    const post = async (target: string) => (await instance.get(target, { method: 'POST' })).status
    expect(await post('/v1/me/follows?username=deleted_2')).toBe(404)
    expect(await post('/v1/me/mutes?username=deleted_2')).toBe(404)
    expect(await post('/v1/me/likes?record_id=3')).toBe(204)
    expect(rowsOf(instance.store.handle, 2)).toEqual(left)
    await instance.close()
  })

  test('can be deleted completely later, but not the other way round', async () => {
    const instance = await createInstance({ seed: seedLibrary })
    const { handle } = instance.store
    await remove(instance, 2, true)
    await beginDeletion(instance.deps, { userId: 2, keepsComments: false })
    await remove(instance, 2, true)
    expect(rows(instance, 'select id from users where id = 2')).toEqual([])
    expect(rowsOf(handle, 2)).toEqual({})
    expect(findDrift(handle)).toEqual([])
    await instance.close()
  })
})

describe('GET /v1/users (D68)', () => {
  /** What every way of finding users shows for users 1 to 4, and the count on the front page. */
  async function shownIn(instance: Instance) {
    const all = await instance.json('/v1/users')
    const one = await instance.json('/v1/users?filter_ids=2')
    const named = await instance.json('/v1/users?filter_usernames=ritsu_t,deleted_2')
    expect(all.total_count).toBe(all.users.length)
    expect([one.total_count, named.total_count]).toEqual([one.users.length, named.users.length])
    const first = await (await instance.ask('/')).text()
    return {
      ids: idsOf(all),
      two: [...idsOf(one), ...idsOf(named)],
      home: Number(/(\d+) people use it/.exec(first)?.[1]),
    }
  }

  test.each([
    ['whose comments stay', true],
    ['that goes whole', false],
  ])('has no account %s, from the moment it is deleted on', async (_, keepsComments) => {
    const instance = await createInstance({ seed: seedLibrary })
    expect(await shownIn(instance)).toEqual({ ids: [1, 2, 3, 4], two: [2, 2], home: 4 })
    await beginDeletion(instance.deps, { userId: 2, keepsComments })
    expect(await shownIn(instance)).toEqual({ ids: [1, 3, 4], two: [], home: 3 })
    expect(findDrift(instance.store.handle)).toEqual([])
    await finishDeletion(instance.deps, 2)
    expect(await shownIn(instance)).toEqual({ ids: [1, 3, 4], two: [], home: 3 })
    if (keepsComments) await remove(instance, 2)
    expect(await shownIn(instance)).toEqual({ ids: [1, 3, 4], two: [], home: 3 })
    expect(findDrift(instance.store.handle)).toEqual([])
    await instance.close()
  })

  test('includes disabled accounts, because they still exist', async () => {
    const instance = await createInstance({ seed: seedLibrary })
    instance.store.handle.run('update users set disabled_at = 1 where id = 2')
    expect(await shownIn(instance)).toEqual({ ids: [1, 2, 3, 4], two: [2, 2], home: 4 })
    await instance.close()
  })

  test('is still correct after a recount', async () => {
    const instance = await createInstance({ seed: seedLibrary })
    await remove(instance, 2, true)
    await repair(instance.store.handle)
    expect(await shownIn(instance)).toEqual({ ids: [1, 3, 4], two: [], home: 3 })
    await instance.close()
  })
})

test('an interrupted deletion is final for its user at once, and the next start completes it', async () => {
  const instance = await createInstance({ seed: seedLibrary })
  const token = await instance.tokenOf('Ritsu_T', 'read write')
  await beginDeletion(instance.deps, { userId: 2, keepsComments: false })
  const answer = await instance.ask('/v1/me', { headers: { authorization: `Bearer ${token}` } })
  expect(answer.status).toBe(401)
  expect(await instance.json('/v1/users?filter_usernames=ritsu_t')).toMatchObject({ total_count: 0 })
  expect(findDrift(instance.store.handle)).toEqual([])
  // Somebody follows the account in the meantime.
  instance.store.handle.run(
    'insert or ignore into follows (follower_id, followed_id, created_at) values (4, 2, 1)',
  )
  await finishDeletions(instance.deps)
  expect(rows(instance, 'select id from users where id = 2')).toEqual([])
  expect(instance.lines.at(-1)).toEqual({ event: 'account_deleted', facts: { user: 2 } })
  await finishDeletions(instance.deps)
  expect(findDrift(instance.store.handle)).toEqual([])
  await instance.close()
})

test('what others do to the account while it is being deleted is deleted too', async () => {
  const instance = await createInstance({ seed: seedLibrary })
  const { handle } = instance.store
  await beginDeletion(instance.deps, { userId: 2, keepsComments: false })
  await finishDeletion(instance.deps, 2, () => {
    // Follows were already handled before records.
    if (rowsOf(handle, 2)['records.user_id'] === undefined) perform(handle, ['follow', 4, 2, 1])
  })
  expect(rowsOf(handle, 2)).toEqual({})
  expect(findDrift(handle)).toEqual([])
  await instance.close()
})

test('deletion in pieces deletes everything it should and skips what stays', async () => {
  const instance = await createInstance({ seed: seedLibrary })
  const { handle } = instance.store
  for (let n = 0; n < 500; n += 1) {
    perform(handle, [n % 3 === 0 ? 'comment' : 'record', 4, 1, 1])
    perform(handle, ['status', 4, 1, (n % 4) + 1])
  }
  await remove(instance, 4, true)
  expect(rowsOf(handle, 4)).toEqual({ 'comments.user_id': 1, 'deletions.user_id': 1, 'records.user_id': 167 })
  await remove(instance, 4)
  expect(rowsOf(handle, 4)).toEqual({})
  expect(findDrift(handle)).toEqual([])
  await instance.close()
})

test('after deleting any users, all counters equal a count of the rows, and other users keep their data (D40)', async () => {
  const removed = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.boolean()), {
    minLength: 1,
    maxLength: 3,
    selector: ([id]) => id,
  })
  await fc.assert(
    fc.asyncProperty(deeds(), removed, async (done, leaving) => {
      const instance = await createInstance({ seed: seedLibrary })
      const { handle } = instance.store
      for (const deed of done) perform(handle, deed)
      expect(findDrift(handle)).toEqual([])
      const gone = leaving.map(([id]) => id)
      const staying = [1, 2, 3, 4].filter((id) => !gone.includes(id))
      const own = () => staying.map((id) => rows(instance, theirs(id, gone)))
      const before = own()
      for (const [id, keeps] of leaving) await remove(instance, id, keeps)
      expect(findDrift(handle)).toEqual([])
      expect(handle.query('pragma foreign_key_check').all()).toEqual([])
      expect(own()).toEqual(before)
      for (const [id, keeps] of leaving) {
        const kept = Object.keys(rowsOf(handle, id)).filter(
          (name) => !/^(?:records|reviews|comments|deletions)\./.test(name),
        )
        expect([id, kept]).toEqual([id, []])
        if (!keeps) expect(rowsOf(handle, id)).toEqual({})
        expect(rows(instance, `select id from records where user_id = ${id} and comment = ''`)).toEqual([])
      }
      await instance.close()
    }),
    { numRuns: 15 },
  )
}, 120_000)

/** SQL that lists a user's rows that are unrelated to the deleted users. */
const theirs = (id: number, gone: readonly number[]) => `
  select 'record', id, comment from records where user_id = ${id}
  union all select 'review', id, body from reviews where user_id = ${id}
  union all select 'status', work_id, kind from statuses where user_id = ${id}
  union all select 'activity', id, action from activities where user_id = ${id}
  union all select 'favorite', id, '' from favorites where user_id = ${id}
  union all select 'session', id, '' from sessions where user_id = ${id}
  union all select 'follow', id, '' from follows where follower_id = ${id} and followed_id not in (${gone})
  union all select 'token', t.id, '' from tokens t left join applications a on a.id = t.application_id
    where t.user_id = ${id} and (a.owner_id is null or a.owner_id not in (${gone}))`
