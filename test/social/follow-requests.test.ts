import { afterAll, beforeEach, expect, test } from 'bun:test'
import { finishMoves } from '../../src/accounts/account/privacy'
import { findDrift } from '../../src/catalogue/counters/recount'
import { createInstance } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'
import { createMember } from '../support/visitor'

const kiroku = await createInstance({ seed: seedLibrary })
const { handle } = kiroku.store
afterAll(kiroku.close)
const [mio, azusa] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'azusa')]
const day = 86_400_000

beforeEach(async () => {
  for (const table of ['follow_requests', 'follows']) handle.run(`delete from ${table}`)
  await mio.done('PATCH', '/v1/me', { profile: 'private' })
  await finishMoves(kiroku.deps)
})

const asked = async () =>
  (await mio.json('/v1/me/follow_requests')).users.map(({ username }: { username: string }) => username)
const follow = () => azusa.done('POST', '/v1/me/follows', { username: 'mio' })
const decide = (decision: string) =>
  mio.done('POST', '/v1/me/follow_requests', { username: 'azusa', decision })
const sees = async () => (await azusa.json('/v1/records?filter_username=mio')).total_count > 0

test('to follow a private profile is to ask, which can be withdrawn (D76)', async () => {
  await follow()
  await follow()
  expect([await asked(), await sees()]).toEqual([['azusa'], false])
  expect(handle.query('select * from follows').all()).toEqual([])
  await azusa.done('DELETE', '/v1/me/follows', { username: 'mio' })
  expect(await asked()).toEqual([])
  await mio.refused('not_found', 'POST', '/v1/me/follow_requests', { username: 'azusa', decision: 'accept' })
})

test('who is accepted sees everything that is not private, until they are removed (D72, D76)', async () => {
  await follow()
  await decide('accept')
  expect([await asked(), await sees()]).toEqual([[], true])
  expect((await azusa.json('/v1/me/following_activities')).total_count).toBeGreaterThan(0)
  await mio.done('DELETE', '/v1/me/followers', { username: 'azusa' })
  await mio.done('DELETE', '/v1/me/followers', { username: 'azusa' })
  expect(await sees()).toBe(false)
  expect((await azusa.json('/v1/me/following_activities')).total_count).toBe(0)
  expect(findDrift(handle)).toEqual([])
})

test('a decline tells nobody, and holds for 30 days (D76)', async () => {
  await follow()
  await decide('decline')
  const now = kiroku.clock.now
  for (const [later, expected] of [
    [0, []],
    [30 * day, []],
    [30 * day + 1, ['azusa']],
  ] as const) {
    kiroku.clock.now = now + later
    await follow()
    expect([later, await asked()]).toEqual([later, [...expected]])
  }
  kiroku.clock.now = now
})

test('when the profile opens, who asked follows (D76)', async () => {
  await follow()
  await mio.done('PATCH', '/v1/me', { profile: 'members' })
  await finishMoves(kiroku.deps)
  expect([await asked(), await sees()]).toEqual([[], true])
  expect(handle.query('select follower_id, followed_id, withheld from follows').all()).toEqual([
    { follower_id: 4, followed_id: 1, withheld: 0 },
  ])
  expect(handle.query('select * from follow_requests').all()).toEqual([])
})

test('at most 200 wait for one answer (promise 12)', async () => {
  handle.run(`with recursive numbers (value) as (select 1 union all select value + 1 from numbers where value < 200)
    insert into users (username, username_key, name, email, password_hash, created_at)
    select 'u' || value, 'u' || value, 'u', 'u', '', 1 from numbers`)
  handle.run(`insert into follow_requests (follower_id, followed_id, created_at)
    select id, 1, 1 from users where username glob 'u[0-9]*'`)
  const [said] = await azusa.refused('invalid_params', 'POST', '/v1/me/follows', { username: 'mio' })
  expect(said).toStartWith('username ')
  expect(handle.query('select count(*) as n from follow_requests').get()).toEqual({ n: 200 })
  handle.run('delete from follow_requests where follower_id = (select max(id) from users)')
  await follow()
})

test('its page shows members a name and a button, which asks and withdraws (D75, D76)', async () => {
  const visitor = await createMember(kiroku, 'azusa')
  const page = await visitor.open('/@mio')
  expect(page.text).toContain('This profile is private.')
  expect(page.text).toContain('>Request</button>')
  const said = await visitor.submit('/@mio', {}, '/follow')
  expect(said.status).toBe(303)
  const after = await visitor.open('/@mio')
  expect(after.text).toContain('You asked to follow mio')
  expect(after.text).toContain('>Requested</button>')
  expect(await asked()).toEqual(['azusa'])
  await visitor.submit('/@mio', {}, '/unfollow')
  expect(await asked()).toEqual([])
  await follow()
  await decide('accept')
  expect((await visitor.open('/@mio')).text).not.toContain('This profile is private.')
})
