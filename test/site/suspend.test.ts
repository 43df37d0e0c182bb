import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { audiences } from '../../db/facts/withheld'
import { finishMove, finishMoves, hideAll } from '../../src/accounts/account/privacy'
import { changeStanding } from '../../src/accounts/account/standing'
import { findDrift } from '../../src/catalogue/counters/recount'
import { createInstance, type Instance, withToken } from '../support/instance'
import { perform } from '../support/member-rows'
import { type Person, personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'
import { createMember, type Visitor } from '../support/visitor'

let kiroku: Instance
let admin: Visitor
let ritsu: Person
beforeEach(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  const { handle } = kiroku.store
  handle.run('update users set guards_spoilers = 0, is_admin = (id = 1)')
  // More than one piece of a move.
  for (let n = 0; n < 60; n++)
    for (const kind of ['comment', 'answer', 'review', 'status', 'follow', 'favorite'] as const)
      perform(handle, [kind, 4, 2, (n % 4) + 1])
  ritsu = await personOf(kiroku, 'Ritsu_T')
  admin = await createMember(kiroku, 'mio')
})
afterEach(() => kiroku.close())

const moved = async () => {
  const { handle } = kiroku.store
  for (let turns = 0; handle.query('select 1 from privacy_moves').all().length > 0; turns++) {
    expect(turns).toBeLessThan(10_000)
    await new Promise(setImmediate)
  }
}

/** All rows of people and what counts them, without what grows with every change. */
const rowsNow = () =>
  [...audiences.map(({ table }) => table), 'comments', 'users', 'works', 'episodes', 'withheld_rows'].map(
    (table) => [
      table,
      kiroku.store.handle
        .query(`select * from ${table}`)
        .all()
        .map((row) => ({ ...(row as object), version: 0, feed_version: 0 })),
    ],
  )

const lists = [
  'records',
  'reviews',
  'activities',
  'records?filter_username=azusa',
  'reviews?filter_username=azusa',
]
/** How much of azusa's somebody finds, whatever list they ask. */
async function found(person: Person): Promise<number> {
  let count = 0
  for (const list of lists) {
    const [key = ''] = list.split('?')
    for (let page: number | null = 1; page !== null; ) {
      const body = await person.json(`/v1/${list}${list.includes('?') ? '&' : '?'}per_page=50&page=${page}`)
      count += body[key].filter(
        ({ user }: { user: { username: string } }) => user.username === 'azusa',
      ).length
      page = body.next_page
    }
  }
  return count
}

const suspend = (texts: Readonly<Record<string, string>> = {}) =>
  admin.submit('/admin/users/4/disable', { reason: '宣伝', hides: '1', ...texts })

describe('suspending somebody (people.md §8)', () => {
  test('needs a reason, and asks whether to hide all they wrote: yes', async () => {
    const { text } = await admin.open('/admin/users/4/disable')
    expect(text).toMatch(/name="hides" value="1"[^>]* checked/)
    for (const reason of [' ', '記'.repeat(1001)]) expect((await suspend({ reason })).status).toBe(422)
    expect(kiroku.store.handle.query('select disabled_at from users where id = 4').get()).toEqual({
      disabled_at: null,
    })
  })

  test('with all they wrote: nobody finds any of it from the answer on, and its undo leaves every row as it was', async () => {
    const member = await createMember(kiroku, 'azusa')
    const token = withToken(await kiroku.tokenOf('azusa', 'read'))
    await ritsu.done('POST', '/v1/me/reports', { username: 'azusa', reason: 'spam' })
    const before = rowsNow()
    const inAll = await found(ritsu)
    expect(inAll).toBeGreaterThan(50)
    expect((await suspend()).location).toBe('/admin/users/4')
    expect(await found(ritsu)).toBe(0)
    expect([(await kiroku.ask('/v1/me', token)).status, (await member.open('/settings')).status]).toEqual([
      401, 303,
    ])
    await moved()
    expect(await found(ritsu)).toBe(0)
    expect(findDrift(kiroku.store.handle)).toEqual([])
    expect((await admin.open('/admin/reports?state=closed')).text).toContain('Suspended · mio')
    const log = (await admin.open('/admin/log')).text
    for (const said of ['azusa', 'suspended by mio, and everything that was written is hidden', '宣伝'])
      expect(log).toContain(said)
    expect((await admin.submit('/admin/log', {}, '/admin/log/1/undo')).location).toBe('/admin/log')
    await moved()
    expect(rowsNow()).toEqual(before)
    expect(findDrift(kiroku.store.handle)).toEqual([])
    expect(await found(ritsu)).toBe(inAll)
    expect((await kiroku.ask('/v1/me', token)).status).toBe(200)
    expect((await admin.open('/admin/log')).text).toContain('undone by mio')
  })

  test('of a private profile, its followers find nothing either, and afterwards they alone', async () => {
    const { handle } = kiroku.store
    const azusa = await personOf(kiroku, 'azusa')
    handle.run('delete from follows where follower_id = 1')
    await ritsu.done('POST', '/v1/me/follows', { username: 'azusa' })
    await azusa.done('PATCH', '/v1/me', { profile: 'private' })
    await moved()
    const before = rowsNow()
    const inAll = await found(ritsu)
    expect(inAll).toBeGreaterThan(50)
    await suspend()
    expect(await found(ritsu)).toBe(0)
    expect((await (await createMember(kiroku, 'Ritsu_T')).open('/@azusa')).status).toBe(404)
    await moved()
    expect(await found(ritsu)).toBe(0)
    await admin.submit('/admin/users/4', {}, '/admin/users/4/enable')
    await moved()
    expect(rowsNow()).toEqual(before)
    expect(await found(ritsu)).toBe(inAll)
    expect(await found(await personOf(kiroku, 'mio'))).toBe(0)
    expect(handle.query('select undone_by from moderations').all()).toEqual([{ undone_by: 1 }])
  })

  test('hides comments under what others wrote, too, until it is undone', async () => {
    const mio = await personOf(kiroku, 'mio')
    const { id } = await mio.done('POST', '/v1/me/records', { episode_id: 2, comment: '元' })
    const azusa = await personOf(kiroku, 'azusa')
    await azusa.done('POST', '/v1/me/comments', { record_id: id, body: 'ひどい' })
    const totalFor = async (who: Person) =>
      (await who.json(`/v1/comments?filter_record_id=${id}`)).total_count
    const counted = () => Promise.all([mio, ritsu].map(totalFor))
    expect(await counted()).toEqual([1, 1])
    await suspend()
    expect(await counted()).toEqual([0, 0])
    await admin.submit('/admin/log', {}, '/admin/log/1/undo')
    expect(await counted()).toEqual([1, 1])
  })

  test('without it leaves what they wrote in the lists', async () => {
    const before = await found(ritsu)
    await suspend({ hides: '' })
    await moved()
    expect(await found(ritsu)).toBe(before)
    expect((await admin.open('/admin/log')).text).toContain('suspended by mio ·')
  })

  test('a move that is killed between its pieces goes on at the next start, there and back', async () => {
    const { deps, store } = kiroku
    const before = rowsNow()
    const inAll = await found(ritsu)
    class Killed extends Error {}
    const killedAfter = (writes: number) => {
      let left = writes
      return {
        ...deps,
        write: ((...given: Parameters<typeof deps.write>) => {
          if (left-- === 0) throw new Killed()
          return deps.write(...given)
        }) as typeof deps.write,
      }
    }
    await deps.write((tx) => hideAll(tx, 4, { by: 1, now: deps.now() }))
    await expect(finishMove(killedAfter(2), 4)).rejects.toThrow(Killed)
    expect(store.handle.query('select level from privacy_moves').all()).toEqual([{ level: 2 }])
    expect(await found(ritsu)).toBe(0)
    await finishMoves(deps)
    expect(store.handle.query('select 1 from privacy_moves').all()).toEqual([])
    expect(findDrift(store.handle)).toEqual([])
    expect(await found(ritsu)).toBe(0)
    store.handle.run(
      "insert into moderations (kind, moderator_id, user_id, privacy, reason, created_at) values ('suspend', 1, 4, 'members', '', 1)",
    )
    store.handle.run('update users set disabled_at = 1 where id = 4')
    expect(await changeStanding(deps, 4, 'enable', { by: 1 })).toBe('done')
    await expect(finishMove(killedAfter(2), 4)).rejects.toThrow(Killed)
    await finishMoves(deps)
    expect(rowsNow()).toEqual(before)
    expect(await found(ritsu)).toBe(inAll)
  })

  test('is neither for oneself nor for the last administrator, and happens once', async () => {
    expect((await admin.open('/admin/users/1/disable')).status).toBe(409)
    await suspend()
    await suspend()
    expect(kiroku.store.handle.query('select kind, privacy from moderations').all()).toEqual([
      { kind: 'suspend', privacy: 'members' },
    ])
  })
})
