import { afterAll, beforeEach, expect, test } from 'bun:test'
import { finishMoves } from '../../src/accounts/account/privacy'
import { findDrift } from '../../src/catalogue/counters/recount'
import { mostBlocks } from '../../src/library/undo/comebacks'
import { createInstance } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'
import { createMember, hiddenInputs } from '../support/visitor'

const kiroku = await createInstance({ seed: seedLibrary })
const { handle } = kiroku.store
afterAll(kiroku.close)
const [mio, ritsu] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'Ritsu_T')]
const [mioOnPages, ritsuOnPages] = [await createMember(kiroku, 'mio'), await createMember(kiroku, 'Ritsu_T')]

const other = { username: 'Ritsu_T' }
const connections = () => ({
  follows: handle
    .query('select follower_id, followed_id from follows where 1 in (follower_id, followed_id) order by 1, 2')
    .values(),
  requests: handle.query('select follower_id, followed_id from follow_requests').values(),
  blocks: handle.query('select user_id, blocked_id from blocks').values(),
})
/** Mio and Ritsu follow each other, as in the seed. */
const bothWays = [
  [1, 2],
  [1, 4],
  [2, 1],
]
beforeEach(async () => {
  for (const table of ['blocks', 'follows', 'follow_requests']) handle.run(`delete from ${table}`)
  handle.run(
    `insert into follows (follower_id, followed_id, created_at) values (1, 2, 5), (1, 4, 6), (2, 1, 7)`,
  )
  await mio.done('PATCH', '/v1/me', { profile: 'members' })
  await finishMoves(kiroku.deps)
})

test.each(['POST', 'DELETE'])('%s of a block is refused for oneself and for nobody (D78)', async (method) => {
  expect(await mio.refused('invalid_params', method, '/v1/me/blocks', { username: 'mio' })).toEqual([
    "username must not be the caller's own: users cannot block themselves.",
  ])
  await mio.refused('not_found', method, '/v1/me/blocks', { username: 'nobody' })
  await mio.refused('invalid_params', method, '/v1/me/blocks')
})

test('a block ends follows and requests between the two, tells nobody, and hides each from the other (D78)', async () => {
  handle.run('insert into follow_requests (follower_id, followed_id, created_at) values (2, 1, 5), (4, 1, 6)')
  const told = () => handle.query('select actor_id from notifications where user_id = 2').values()
  handle.run(
    'insert into notifications (user_id, actor_id, follow_id, created_at) select 2, 1, id, 1 from follows where followed_id = 2',
  )
  expect(told()).toEqual([[1]])
  const before = (await ritsu.json('/v1/records?filter_username=mio')).total_count
  expect(before).toBeGreaterThan(0)
  for (let twice = 0; twice < 2; twice++) await mio.done('POST', '/v1/me/blocks', other)
  expect(connections()).toEqual({ follows: [[1, 4]], requests: [[4, 1]], blocks: [[1, 2]] })
  // The notification of the follow went with it.
  expect(told()).toEqual([])
  expect((await ritsu.json('/v1/records?filter_username=mio')).total_count).toBe(0)
  expect((await mio.json('/v1/records?filter_username=Ritsu_T')).total_count).toBe(0)
  expect(findDrift(handle)).toEqual([])
  for (const person of [mio, ritsu]) {
    const username = person === mio ? 'Ritsu_T' : 'mio'
    await person.refused('not_found', 'POST', '/v1/me/follows', { username })
    await person.done('DELETE', '/v1/me/follows', { username })
  }
  await ritsu.refused('not_found', 'POST', '/v1/me/likes', { record_id: 1 })
  for (let twice = 0; twice < 2; twice++) await mio.done('DELETE', '/v1/me/blocks', other)
  expect(connections()).toEqual({ follows: [[1, 4]], requests: [[4, 1]], blocks: [] })
  await ritsu.done('POST', '/v1/me/follows', { username: 'mio' })
  expect((await ritsu.json('/v1/records?filter_username=mio')).total_count).toBe(before)
})

test('pages of lists leave the other side out, with totals unchanged (D78)', async () => {
  const list = async (person: typeof mio) => {
    const { records, total_count } = await person.json('/v1/records?per_page=50')
    return {
      total_count,
      writers: new Set(records.map(({ user }: { user: { username: string } }) => user.username)),
    }
  }
  const before = await list(mio)
  expect([...before.writers]).toContain('Ritsu_T')
  await ritsu.done('POST', '/v1/me/blocks', { username: 'mio' })
  for (const [person, left] of [[mio, 'Ritsu_T'] as const, [ritsu, 'mio'] as const]) {
    const after = await list(person)
    expect([after.total_count, after.writers.has(left)]).toEqual([before.total_count, false])
  }
})

test(`one person blocks at most ${mostBlocks}, and the limit is named`, async () => {
  handle.run(`with recursive n (n) as (select 1 union all select n + 1 from n where n <= ${mostBlocks})
    insert into users (id, username, username_key, email, password_hash, name, created_at)
    select 10000 + n, 'many' || n, 'many' || n, 'many' || n, '', 'Many', 1 from n`)
  handle.run(`insert into blocks (user_id, blocked_id, created_at)
    select 1, id, 1 from users where id between 10001 and ${10000 + mostBlocks}`)
  const refused = await mio.refused('invalid_params', 'POST', '/v1/me/blocks', other)
  expect(refused).toEqual([`username must be of one of at most ${mostBlocks} users whom the caller blocks.`])
  expect(connections().follows).toEqual(bothWays)
  // Those whom one blocks already stay so.
  await mio.done('POST', '/v1/me/blocks', { username: 'many7' })
  await mio.done('DELETE', '/v1/me/blocks', { username: 'many7' })
  await mio.done('POST', '/v1/me/blocks', other)
  expect(handle.query('select count(*) from blocks where user_id = 1').values()).toEqual([[mostBlocks]])
})

test('a profile offers to block, each side sees the other as private without a button, and undo restores all', async () => {
  const page = await mioOnPages.open('/@Ritsu_T')
  expect(page.text).toContain('data-act="block"')
  const done = await mioOnPages.submit('/@Ritsu_T', {}, '/block')
  expect([done.status, done.location]).toEqual([303, '/@Ritsu_T'])
  const after = await mioOnPages.open(done.location)
  expect(after.text).toContain('You blocked Ritsu_T')
  for (const [text, button] of [
    [after.text, 'unblock'],
    [(await ritsuOnPages.open('/@mio')).text, 'block'],
  ] as const) {
    expect(text).toContain('This profile is private.')
    expect(text).toContain(`data-act="${button}"`)
    expect(text).not.toMatch(/data-act="(?:un)?follow"/)
    expect(text).not.toContain('class="totals"')
  }
  expect(connections()).toMatchObject({ follows: [[1, 4]], blocks: [[1, 2]] })
  // The message has the undo.
  await ritsuOnPages.open('/@mio')
  const undone = await mioOnPages.post('/undo', {
    ...hiddenInputs(after.text, '/undo'),
    act_id: /name="act_id" value="(\d+)"/.exec(after.text)?.[1] ?? '',
  })
  expect([undone.status, undone.location]).toEqual([303, '/@Ritsu_T'])
  expect(connections()).toEqual({ follows: bothWays, requests: [], blocks: [] })
  expect(handle.query('select created_at from follows where follower_id = 2').values()).toEqual([[7]])
  expect(findDrift(handle)).toEqual([])
})

test('a request comes back with the undo of a block, a follow does not with its end, nor after ten minutes', async () => {
  await mio.done('PATCH', '/v1/me', { profile: 'private' })
  handle.run('delete from follows')
  await ritsu.done('POST', '/v1/me/follows', { username: 'mio' })
  const block = async () => {
    const { location } = await mioOnPages.submit('/@Ritsu_T', {}, '/block')
    const { text } = await mioOnPages.open(location)
    const act_id = /name="act_id" value="(\d+)"/.exec(text)?.[1] ?? ''
    return async () => (await mioOnPages.post('/undo', { ...hiddenInputs(text, '/undo'), act_id })).status
  }
  const first = await block()
  expect(connections().requests).toEqual([])
  expect([await first(), connections().requests]).toEqual([303, [[2, 1]]])
  const second = await block()
  // The other side did the same meanwhile.
  await ritsu.done('POST', '/v1/me/blocks', { username: 'mio' })
  expect([await second(), connections().requests]).toEqual([303, []])
  await ritsu.done('DELETE', '/v1/me/blocks', { username: 'mio' })
  await ritsu.done('POST', '/v1/me/follows', { username: 'mio' })
  const third = await block()
  kiroku.clock.now += 601_000
  expect([await third(), connections()]).toEqual([303, { follows: [], requests: [], blocks: [] }])
  expect(await third()).toBe(303)
})

test('a page follows nobody whom its reader has blocked, or who has blocked them', async () => {
  const { text } = await ritsuOnPages.open('/@mio')
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(text) ?? []
  await mio.done('POST', '/v1/me/blocks', other)
  expect((await ritsuOnPages.post('/follow', { csrf, username: 'mio' })).status).toBe(404)
  expect((await ritsuOnPages.post('/block', { csrf, username: 'Ritsu_T' })).status).toBe(404)
  expect(connections().follows).toEqual([[1, 4]])
})
