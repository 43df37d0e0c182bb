import { afterAll, beforeEach, expect, test } from 'bun:test'
import { createInstance } from '../support/instance'
import { personOf } from '../support/people'
import { createMember } from '../support/visitor'

const kiroku = await createInstance()
const { handle } = kiroku.store
afterAll(kiroku.close)
const [mio, azusa] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'azusa')]
const text = 'username must be of one of at most 2000 users whom the caller follows or asks to.'

handle.run(`with recursive numbers (id) as (select 100 union all select id + 1 from numbers where id < 2099)
  insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
  select id, 'p' || id, 'p' || id, '', 'p' || id, 'p' || id, '', 1 from numbers`)

/** mio follows so many, and asks so many to. */
function fill(followed: number, asked: number): void {
  handle.run(
    'insert into follows (follower_id, followed_id, created_at) select 1, id, 1 from users where id between 100 and ?',
    [99 + followed],
  )
  handle.run(
    `insert into follow_requests (follower_id, followed_id, created_at)
     select 1, id, 1 from users where id >= 100 order by id desc limit ?`,
    [asked],
  )
}

const counts = () =>
  ['follows', 'follow_requests', 'notifications'].map(
    (table) => handle.query<{ n: number }, []>(`select count(*) as n from ${table}`).get()?.n,
  )

beforeEach(() => {
  for (const table of ['notifications', 'follow_requests', 'follows']) handle.run(`delete from ${table}`)
  handle.run("update users set privacy = 'members'")
})

test('2,000 are followed or asked at most (promise 12)', async () => {
  fill(1990, 10)
  const full = counts()
  expect(await mio.refused('invalid_params', 'POST', '/v1/me/follows', { username: 'azusa' })).toEqual([text])
  handle.run("update users set privacy = 'private' where id = 4")
  expect(await mio.refused('invalid_params', 'POST', '/v1/me/follows', { username: 'azusa' })).toEqual([text])
  // Whom one follows already is followed again, and others are not kept from following.
  await mio.done('POST', '/v1/me/follows', { username: 'p100' })
  expect(counts()).toEqual(full)
  await azusa.done('POST', '/v1/me/follows', { username: 'mio' })
  await mio.done('DELETE', '/v1/me/follows', { username: 'p100' })
  await mio.done('POST', '/v1/me/follows', { username: 'azusa' })
})

test('a page says so too, and changes nothing', async () => {
  fill(2000, 0)
  const visitor = await createMember(kiroku, 'mio')
  const refused = await visitor.submit('/@azusa', {}, '/follow')
  expect([refused.status, refused.text.includes('at most 2000 users'), counts()]).toEqual([
    400,
    true,
    [2000, 0, 0],
  ])
})
