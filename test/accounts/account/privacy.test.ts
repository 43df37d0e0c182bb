import { afterAll, afterEach, expect, test } from 'bun:test'
import fc from 'fast-check'
import { audiences } from '../../../db/facts/withheld'
import { changePrivacy, finishMove, finishMoves } from '../../../src/accounts/account/privacy'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { createInstance } from '../../support/instance'
import { deeds, perform } from '../../support/member-rows'
import { personOf } from '../../support/people'
import { seedLibrary } from '../../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { deps, store } = kiroku
const { handle } = store
afterAll(kiroku.close)
const [mio, azusa] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'azusa')]

const moved = async () => {
  for (let turns = 0; handle.query('select 1 from privacy_moves').all().length > 0; turns++) {
    expect(turns).toBeLessThan(10_000)
    await new Promise(setImmediate)
  }
}
afterEach(async () => {
  await mio.done('PATCH', '/v1/me', {
    profile: 'members',
    private_by_default: false,
    listed: true,
    indexable: false,
    comments_from: 'everyone',
  })
  await moved()
})

const settings = ['profile', 'private_by_default', 'comments_from', 'listed', 'indexable']

test('one’s own profile carries the settings, and PATCH changes those that are sent (D72)', async () => {
  const before = await mio.json('/v1/me')
  expect(settings.map((name) => before[name])).toEqual(['members', false, 'everyone', true, false])
  expect(await mio.done('PATCH', '/v1/me', { comments_from: 'nobody' })).toEqual({
    ...before,
    comments_from: 'nobody',
  })
  const all = {
    profile: 'public',
    private_by_default: true,
    comments_from: 'following',
    listed: false,
    indexable: true,
  }
  expect(await mio.done('PATCH', '/v1/me', all)).toEqual({ ...before, ...all })
  expect(await mio.json('/v1/me')).toEqual({ ...before, ...all })
  expect(await mio.done('PATCH', '/v1/me', {})).toEqual({ ...before, ...all })
  // Nobody else is told of them.
  const [other] = (await azusa.json('/v1/users?filter_usernames=mio')).users
  expect(settings.filter((name) => name in other)).toEqual([])
  for (const wrong of [
    { profile: 'friends' },
    { comments_from: 'all' },
    { listed: 'maybe' },
    { indexable: 2 },
  ])
    expect((await mio.refused('invalid_params', 'PATCH', '/v1/me', wrong))[0]).toStartWith(
      Object.keys(wrong)[0] ?? '',
    )
})

const lists = ['records', 'reviews', 'activities'] as const

/** How many of mio's rows a member finds, and what the totals say. */
async function foundByAzusa() {
  const found: Record<string, number[]> = {}
  for (const list of lists)
    for (const query of ['', '&filter_username=mio']) {
      const { [list]: rows, total_count } = await azusa.json(`/v1/${list}?per_page=50${query}`)
      const own = rows.filter(({ user }: { user: { username: string } }) => user.username === 'mio').length
      found[list + query] = [own, rows.length - total_count]
    }
  return found
}

test('from the answer on nobody else sees anything, while the rows still move (D72)', async () => {
  const before = await foundByAzusa()
  expect(Object.values(before).some(([own = 0]) => own > 0)).toBe(true)
  // The answer is the commit; the pieces have not begun.
  await deps.write((tx) => changePrivacy(tx, 1, { change: { privacy: 'private' }, now: deps.now() }))
  expect(handle.query('select count(*) as n from records where user_id = 1 and withheld > 0').get()).toEqual({
    n: 0,
  })
  for (const [own] of Object.values(await foundByAzusa())) expect(own).toBe(0)
  expect((await mio.json('/v1/records?filter_username=mio')).total_count).toBeGreaterThan(0)
  await finishMove(deps, 1)
  for (const figures of Object.values(await foundByAzusa())) expect(figures).toEqual([0, 0])
  expect(findDrift(handle)).toEqual([])
  await mio.done('PATCH', '/v1/me', { profile: 'members' })
  await moved()
  expect(await foundByAzusa()).toEqual(before)
})

/** All rows of people, without what grows with every change. */
const rowsNow = () =>
  [
    ...audiences.map(({ table }) => table),
    'users',
    'works',
    'episodes',
    'characters',
    'people',
    'organizations',
    'withheld_rows',
  ].map((table) => [
    table,
    handle
      .query(`select * from ${table}`)
      .all()
      .map((row) => ({ ...(row as object), version: 0, feed_version: 0 })),
  ])

class Killed extends Error {}

/** A writer that is killed after so many writes. */
function dying(writes: number): Pick<typeof deps, 'read' | 'write' | 'log'> {
  let left = writes
  const write: typeof deps.write = async (change) => {
    if (left-- <= 0) throw new Killed()
    return await deps.write(change)
  }
  return { read: deps.read, write, log: () => {} }
}

test('there and back the database equals itself, whatever was killed and changed on the way', async () => {
  const profile = fc.constantFrom('public', 'members', 'private')
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), profile, fc.nat(12)), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(deeds(40), steps, async (done, asked) => {
      // Who asked to follow stays a follower when the profile opens.
      for (const deed of done) if (deed[0] !== 'request') perform(handle, deed)
      const before = rowsNow()
      for (const [user, privacy, writes] of asked) {
        await deps.write((tx) => changePrivacy(tx, user, { change: { privacy }, now: deps.now() }))
        await finishMoves(dying(writes))
      }
      await finishMoves(deps)
      expect(handle.query('select * from privacy_moves').all()).toEqual([])
      expect(findDrift(handle)).toEqual([])
      for (const user of [1, 2, 3, 4]) {
        await deps.write((tx) => changePrivacy(tx, user, { change: { privacy: 'members' }, now: deps.now() }))
        await finishMove(deps, user)
      }
      expect(rowsNow()).toEqual(before)
    }),
    { numRuns: 15 },
  )
}, 120_000)

test('the newest choice wins, wherever it comes into a move that is under way', async () => {
  const choose = (privacy: 'private' | 'members') =>
    deps.write((tx) => changePrivacy(tx, 1, { change: { privacy }, now: deps.now() }))
  let tried = 0
  for (let isOver = false; !isOver; tried++) {
    await choose('private')
    let writes = 0
    const write: typeof deps.write = async (change) => {
      if (writes++ === tried) await choose('members')
      return await deps.write(change)
    }
    await finishMove({ read: deps.read, write }, 1)
    isOver = writes <= tried
    const withheld = 'select count(*) as n from records where user_id = 1 and withheld > 0'
    const isShared = handle.query(withheld).values()[0]?.[0] === 0
    expect([tried, isShared]).toEqual([tried, !isOver])
    expect(handle.query('select * from privacy_moves').all()).toEqual([])
    expect(findDrift(handle)).toEqual([])
  }
  // At least one piece for each table, and the end.
  expect(tried).toBeGreaterThan(audiences.length)
}, 60_000)
