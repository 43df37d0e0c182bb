import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { findDrift } from '../../src/catalogue/counters/recount'
import { ApiError } from '../../src/http/errors'
import { type Act, actKinds } from '../../src/library/acts/act'
import { undo } from '../../src/library/acts/undo'
import { contentOf } from '../support/acts'
import { type AnyAct, anyAct } from '../support/any-act'
import { anyWrite, resolved } from '../support/any-write'
import { checkCounters } from '../support/counted'
import { createInstance } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { deps } = kiroku
const { handle } = kiroku.store
const users = [1, 2, 4]
const people = await Promise.all(['mio', 'Ritsu_T', 'azusa'].map((name) => personOf(kiroku, name)))
afterAll(kiroku.close)

const somebody = fc.constantFrom(0, 1, 2)
const acts = anyAct(() => handle)

/** Undefined if it was refused; a fault fails the test. */
async function attempt(doing: AnyAct, who: number): Promise<Act | undefined> {
  try {
    return await doing(deps, users[who] ?? 0)
  } catch (cause) {
    if (cause instanceof ApiError) return undefined
    throw cause
  }
}

async function write([who, method, path, params]: typeof anyWrite extends fc.Arbitrary<infer W> ? W : never) {
  const response = await people[who]?.send(method, ...resolved(handle, path, params))
  expect(response?.status).toBeLessThan(500)
}

function checkAll(): void {
  checkCounters(handle)
  expect(findDrift(handle)).toEqual([])
  expect(handle.query('pragma foreign_key_check').all()).toEqual([])
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ who: somebody, act: acts }) },
  { weight: 3, arbitrary: fc.record({ undoes: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ writes: anyWrite }) },
)

test('every kind of act is among those tried here', async () => {
  const done = new Set<string>()
  for (const act of fc.sample(acts, { numRuns: 1000, seed: 1 })) {
    const made = await attempt(act, 0)
    if (made !== undefined) done.add(made.kind)
  }
  const lacking = actKinds.filter((kind) => !done.has(kind))
  expect(lacking, 'each is done in test/support/any-act.ts').toEqual([])
})

const tablesOfUsers = handle
  .query<{ name: string }, []>(
    `select t.name from pragma_table_list as t, pragma_table_xinfo(t.name) as c
     where t.schema = 'main' and t.type = 'table' and c.name = 'user_id' order by 1`,
  )
  .all()
  .map(({ name }) => name)
  // Likes of a record that is deleted and comments under it go with it, and what tells of them.
  .filter((name) => !['likes', 'comments', 'notifications'].includes(name))

/** Likes of somebody's record or review and comments under it are counted there. */
const isTheirOwn = (column: string) => !['likes_count', 'comments_count', 'version'].includes(column)

const rowsOfOthers = (user: number) =>
  tablesOfUsers.map((name) => {
    const columns = handle.query<{ name: string }, []>(`select name from pragma_table_xinfo('${name}')`).all()
    const own = columns.map((column) => column.name).filter(isTheirOwn)
    const sql = `select ${own.join(', ')} from "${name}" where user_id <> ? order by 1, 2`
    return [name, JSON.stringify(handle.query(sql).values(user))]
  })

test('an act and its undo change no row of anybody else', async () => {
  const done = new Set<string>()
  const doings = fc.array(fc.record({ who: somebody, act: acts, isUndone: fc.boolean() }), {
    minLength: 30,
    maxLength: 40,
  })
  const changesNobodyElse = fc.asyncProperty(doings, async (steps) => {
    for (const { who, act, isUndone } of steps) {
      const before = rowsOfOthers(users[who] ?? 0)
      const made = await attempt(act, who)
      if (made !== undefined) done.add(made.kind)
      if (made !== undefined && isUndone)
        await attempt((_, user) => undo(deps, user, { actId: made.id }), who)
      expect(rowsOfOthers(users[who] ?? 0)).toEqual(before)
    }
  })
  // Before the tests that leave rows of any kind behind. Shrinking would start from other rows. Some kinds are rarely possible; comments 30 times an hour.
  for (let seed = 1; done.size < actKinds.length; seed += 1, kiroku.clock.now += 3_600_000) {
    // Between the two sides of a block little is possible. What is there can be ended, and moved.
    handle.run('delete from blocks')
    handle.run(`insert or ignore into follows (follower_id, followed_id, created_at)
      select one.id, other.id, 1 from users as one join users as other on one.id <> other.id
      where one.id in (1, 2, 4) and other.id in (1, 2, 4)`)
    handle.run(`insert or ignore into favorites (user_id, work_id, position, created_at)
      select users.id, works.id, works.id, 1 from users join works on works.id in (1, 2) where users.id in (1, 2, 4)`)
    handle.run(`insert or ignore into statuses (user_id, work_id, kind, changed_at)
      select users.id, works.id, 'watching', 1 from users join works on works.id in (1, 2) where users.id in (1, 2, 4)`)
    await fc.assert(changesNobodyElse, { numRuns: 5, endOnFailure: true, seed })
  }
})

test('after any acts, undos and writes of several users, every counter equals a count of the rows (D40)', async () => {
  let undone = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const done: { readonly who: number; readonly actId: number }[] = []
      for (const one of steps) {
        if ('writes' in one) await write(one.writes)
        else if ('act' in one) {
          const act = await attempt(one.act, one.who)
          if (act !== undefined) done.push({ who: one.who, actId: act.id })
        } else {
          const chosen = done.at(one.undoes % Math.max(done.length, 1))
          if (chosen === undefined) continue
          const act = await attempt((_, user) => undo(deps, user, chosen), chosen.who)
          if (act !== undefined) undone += 1
        }
      }
      checkAll()
    }),
    { numRuns: 40 },
  )
  expect(undone).toBeGreaterThan(40)
})

test('undoing an act leaves the database as it was, whatever others did before', async () => {
  let done = 0
  await fc.assert(
    fc.asyncProperty(fc.array(anyWrite, { maxLength: 15 }), somebody, acts, async (writes, who, act) => {
      for (const one of writes) await write(one)
      const before = contentOf(handle)
      const made = await attempt(act, who)
      if (made === undefined) return expect(contentOf(handle)).toEqual(before)
      done += 1
      await undo(deps, users[who] ?? 0, { actId: made.id })
      expect(contentOf(handle)).toEqual(before)
    }),
    { numRuns: 150 },
  )
  expect(done).toBeGreaterThan(30)
  checkAll()
})

test('undoing acts one after another, last first, leaves it as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { maxLength: 12 }), somebody, async (doings, who) => {
      const before = contentOf(handle)
      const made: Act[] = []
      for (const doing of doings) {
        const act = await attempt(doing, who)
        if (act !== undefined) made.push(act)
      }
      for (const { id } of made.toReversed()) await undo(deps, users[who] ?? 0, { actId: id })
      expect(contentOf(handle)).toEqual(before)
    }),
    { numRuns: 60 },
  )
  checkAll()
})
