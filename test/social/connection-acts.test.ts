import { afterAll, beforeEach, expect, test } from 'bun:test'
import { finishMoves } from '../../src/accounts/account/privacy'
import { undo } from '../../src/library/acts/undo'
import { mostFollows } from '../../src/library/undo/comebacks'
import { UndoRefused } from '../../src/library/undo/undo-changes'
import {
  blockPerson,
  followPerson,
  mutePerson,
  unblockPerson,
  unfollowPerson,
  unmutePerson,
} from '../../src/social/connection-acts'
import { contentOf } from '../support/acts'
import { createInstance } from '../support/instance'
import { personOf } from '../support/people'
import { createMember } from '../support/visitor'

const kiroku = await createInstance()
const { deps } = kiroku
const { handle } = kiroku.store
const [mio, azusa] = [1, 4]
const [byMio, byAzusa] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'azusa')]
const [toMio, toAzusa] = [{ username: 'mio' }, { username: 'azusa' }]
afterAll(kiroku.close)

const level = async (profile: string) => {
  await byAzusa.done('PATCH', '/v1/me', { profile })
  await finishMoves(deps)
}
beforeEach(async () => {
  for (const table of ['blocks', 'mutes', 'follows', 'follow_requests', 'acts', 'notifications'])
    handle.run(`delete from ${table}`)
  await level('members')
})

const follows = () => handle.query('select follower_id, followed_id from follows order by 1, 2').values()
const requests = () =>
  handle
    .query('select follower_id, declined_at is not null, withdrawn_at is not null from follow_requests')
    .values()
const refused = async (actId: number) => {
  const cause = await undo(deps, mio, { actId }).catch((why: unknown) => why)
  expect(cause).toBeInstanceOf(UndoRefused)
  return cause instanceof UndoRefused ? cause.problem : ''
}
const buttonOf = async () => {
  const { text } = await (await createMember(kiroku, 'mio')).open('/@azusa')
  return /data-focus="follow-azusa"[^>]*>(?:<svg[\s\S]*?<\/svg>)?([^<]*)</.exec(text)?.[1]
}

test('following and its end are undone to the same row, with what told of it (D120)', async () => {
  const before = contentOf(handle)
  const act = await followPerson(deps, mio, azusa)
  expect([act.otherId, act.workId, follows()]).toEqual([azusa, 0, [[1, 4]]])
  const followed = contentOf(handle)
  const end = await unfollowPerson(deps, mio, azusa)
  await undo(deps, mio, { actId: end.id })
  expect(contentOf(handle)).toEqual(followed)
  await undo(deps, mio, { actId: act.id })
  expect(contentOf(handle)).toEqual(before)
})

test('an undo does not bring a follow back past a block of either side, a new follow, or the limit', async () => {
  await followPerson(deps, mio, azusa)
  const { id } = await unfollowPerson(deps, mio, azusa)
  await byAzusa.done('POST', '/v1/me/blocks', toMio)
  expect([await refused(id), follows()]).toEqual(['changed', []])
  await byAzusa.done('DELETE', '/v1/me/blocks', toMio)
  await byMio.done('POST', '/v1/me/blocks', toAzusa)
  expect([await refused(id), follows()]).toEqual(['changed', []])
  await byMio.done('DELETE', '/v1/me/blocks', toAzusa)
  await byMio.done('POST', '/v1/me/follows', toAzusa)
  expect(await refused(id)).toBe('changed')
  await byMio.done('DELETE', '/v1/me/follows', toAzusa)
  handle.run(`with recursive n (n) as (select 1 union all select n + 1 from n where n < ${mostFollows})
    insert into users (id, username, username_key, email, password_hash, name, created_at)
    select 10000 + n, 'many' || n, 'many' || n, 'many' || n, '', 'Many', 1 from n`)
  handle.run(
    `insert into follows (follower_id, followed_id, created_at) select 1, id, 1 from users where id > 10000`,
  )
  expect(await refused(id)).toBe('changed')
  handle.run('delete from follows where followed_id = 10001')
  await undo(deps, mio, { actId: id })
  expect(follows()).toContainEqual([1, 4])
  handle.run('delete from follows')
  handle.run('delete from users where id > 10000')
})

test('a profile that became private is not followed again without asking; one that had accepted is (D76)', async () => {
  await followPerson(deps, mio, azusa)
  const open = await unfollowPerson(deps, mio, azusa)
  await level('private')
  expect([await refused(open.id), follows()]).toEqual(['changed', []])
  await followPerson(deps, mio, azusa)
  await byAzusa.done('POST', '/v1/me/follow_requests', { ...toMio, decision: 'accept' })
  const accepted = await unfollowPerson(deps, mio, azusa)
  await undo(deps, mio, { actId: accepted.id })
  expect(follows()).toEqual([[1, 4]])
})

test('the undo of asking withdraws, or ends the follow that came of it', async () => {
  await level('private')
  const before = contentOf(handle)
  const asked = await followPerson(deps, mio, azusa)
  expect([asked.count, requests()]).toEqual([1, [[1, 0, 0]]])
  await undo(deps, mio, { actId: asked.id })
  expect(contentOf(handle)).toEqual(before)
  const again = await followPerson(deps, mio, azusa)
  await byAzusa.done('POST', '/v1/me/follow_requests', { ...toMio, decision: 'accept' })
  expect(follows()).toEqual([[1, 4]])
  await undo(deps, mio, { actId: again.id })
  expect([follows(), requests()]).toEqual([[], []])
})

test('a decline is told by nothing, and holds whatever is undone, withdrawn or asked again (D76)', async () => {
  await level('private')
  const asked = await followPerson(deps, mio, azusa)
  await byAzusa.done('POST', '/v1/me/follow_requests', { ...toMio, decision: 'decline' })
  expect(await buttonOf()).toBe('Requested')
  await undo(deps, mio, { actId: asked.id })
  expect([requests(), await buttonOf()]).toEqual([[[1, 1, 1]], 'Request'])
  const again = await followPerson(deps, mio, azusa)
  expect([again.count, requests(), await buttonOf()]).toEqual([1, [[1, 1, 0]], 'Requested'])
  expect((await byAzusa.json('/v1/me/follow_requests')).users).toEqual([])
  const withdrawn = await unfollowPerson(deps, mio, azusa)
  expect(await buttonOf()).toBe('Request')
  await undo(deps, mio, { actId: withdrawn.id })
  expect([requests(), await buttonOf()]).toEqual([[[1, 1, 0]], 'Requested'])
  kiroku.clock.now += 30 * 86_400_000 + 1
  await byMio.done('DELETE', '/v1/me/follows', toAzusa)
  const before = contentOf(handle)
  const late = await followPerson(deps, mio, azusa)
  expect(requests()).toEqual([[1, 0, 0]])
  await undo(deps, mio, { actId: late.id })
  expect(contentOf(handle)).toEqual(before)
})

test('a withdrawn request does not come back to a profile that was opened since', async () => {
  await level('private')
  await followPerson(deps, mio, azusa)
  const { id } = await unfollowPerson(deps, mio, azusa)
  await level('members')
  expect([await refused(id), requests(), follows()]).toEqual(['changed', [], []])
})

test('the undo of unblocking ends what began between the two since (D78)', async () => {
  await blockPerson(deps, mio, azusa)
  const { id } = await unblockPerson(deps, mio, azusa)
  await byAzusa.done('POST', '/v1/me/follows', toMio)
  await byMio.done('POST', '/v1/me/follows', toAzusa)
  await undo(deps, mio, { actId: id })
  expect([follows(), handle.query('select user_id, blocked_id from blocks').values()]).toEqual([[], [[1, 4]]])
})

test('what a block ended does not come back with the undo of something else later', async () => {
  await byAzusa.done('POST', '/v1/me/follows', toMio)
  const { id } = await blockPerson(deps, mio, azusa)
  kiroku.clock.now += 601_000
  await undo(deps, mio, { actId: id })
  const muted = await mutePerson(deps, mio, azusa)
  await undo(deps, mio, { actId: muted.id })
  expect(follows()).toEqual([])
})

test('what two people are to each other is undone from the last to the first, whoever undoes another first is told which (D120)', async () => {
  await followPerson(deps, mio, azusa)
  const before = contentOf(handle)
  const acts = []
  for (const doing of [unfollowPerson, followPerson, unfollowPerson, blockPerson, unblockPerson])
    acts.push((await doing(deps, mio, azusa)).id)
  const muted = await mutePerson(deps, mio, azusa)
  for (const last of acts.toReversed()) {
    for (const actId of acts.filter((id) => id < last))
      expect(await undo(deps, mio, { actId }).catch((why: unknown) => why)).toMatchObject({
        problem: 'changed',
        blockedBy: { what: 'act', id: last },
      })
    await undo(deps, mio, { actId: last })
  }
  await undo(deps, mio, { actId: muted.id })
  expect(contentOf(handle)).toEqual(before)
})

test('a mute does not come back under a later end of it, which is undone first (D120)', async () => {
  await mutePerson(deps, mio, azusa)
  const before = contentOf(handle)
  const ended = await unmutePerson(deps, mio, azusa)
  const again = await mutePerson(deps, mio, azusa)
  const endedAgain = await unmutePerson(deps, mio, azusa)
  for (const { id } of [endedAgain, again]) {
    expect(await undo(deps, mio, { actId: ended.id }).catch((why: unknown) => why)).toMatchObject({
      blockedBy: { what: 'act', id },
    })
    await undo(deps, mio, { actId: id })
  }
  await undo(deps, mio, { actId: ended.id })
  expect(contentOf(handle)).toEqual(before)
})
