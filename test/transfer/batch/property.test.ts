import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { ApiError } from '../../../src/http/errors'
import { listsOf } from '../../../src/transfer/batch/lists-of'
import { anyAct } from '../../support/any-act'
import { anyWrite, resolved } from '../../support/any-write'
import { checkCounters } from '../../support/counted'
import { createInstance } from '../../support/instance'
import { personOf } from '../../support/people'
import { seedLibrary } from '../../support/seed-library'
import { anyList, takeOver, undoWhole } from './any-list'
import { dumpOf } from './support'

const kiroku = await createInstance({ seed: seedLibrary })
const { deps } = kiroku
const { handle } = kiroku.store
const lists = listsOf(deps)
const users = [1, 2] as const
const people = await Promise.all(['mio', 'Ritsu_T'].map((name) => personOf(kiroku, name)))
afterAll(async () => {
  await lists.close()
  await kiroku.close()
})

function checkAll(): void {
  checkCounters(handle)
  expect(findDrift(handle)).toEqual([])
  expect(handle.query('pragma foreign_key_check').all()).toEqual([])
}

const who = fc.constantFrom(0 as const, 1 as const)

test('imports undone in any order leave everything as it was', async () => {
  const taken = fc.array(fc.record({ who, list: anyList }), { minLength: 1, maxLength: 4 })
  let written = 0
  await fc.assert(
    fc.asyncProperty(taken, fc.infiniteStream(fc.nat()), async (steps, choices) => {
      const before = dumpOf(handle)
      const done: { userId: number; id: number }[] = []
      for (const { who: at, list } of steps) {
        kiroku.clock.now += 1000
        done.push({ userId: users[at], id: await takeOver(lists, users[at], list) })
      }
      written += handle.query('select 1 from changes where import_id is not null').all().length
      while (done.length > 0) {
        const [{ userId, id } = { userId: 0, id: 0 }] = done.splice(
          Number(choices.next().value) % done.length,
          1,
        )
        await undoWhole(lists, userId, id)
      }
      expect(dumpOf(handle)).toEqual(before)
      checkAll()
      handle.run('delete from list_imports')
    }),
    { numRuns: 15 },
  )
  expect(written).toBeGreaterThan(100)
}, 120_000)

interface Kept {
  readonly table: string
  readonly id: number
}

/** Rows that no import created, or that somebody edited or liked since. */
const mustStay = (): readonly Kept[] =>
  Object.entries(editedBySomebody).flatMap(([table, isEdited]) =>
    handle
      .query<{ id: number }, [string]>(
        `select id from ${table} as row where likes_count > 0 or ${isEdited} or not exists (
           select 1 from changes where import_id is not null and table_name = ? and row.id between row_id and last_id)`,
      )
      .all(table)
      .map(({ id }) => ({ table, id })),
  )

/** An import edits reviews too. */
const editedBySomebody = {
  records: 'is_modified = 1',
  reviews: `modified_at is not null and not exists (
    select 1 from changes
    where import_id is not null and table_name = 'reviews' and row_id = row.id and after ->> 'modified_at' = row.modified_at)`,
}

const isThere = ({ table, id }: Kept) =>
  handle.query(`select 1 from ${table} where id = ?`).all(id).length === 1

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ who, act: anyAct(() => handle) }) },
  { weight: 2, arbitrary: fc.record({ writes: anyWrite }) },
  { weight: 3, arbitrary: fc.record({ who, list: anyList }) },
  { weight: 2, arbitrary: fc.record({ undoes: fc.nat(9) }) },
)

test('whatever is done between imports and undos, what people wrote stays, and counters are right', async () => {
  let left = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async (steps) => {
      const done: { userId: number; id: number }[] = []
      const undo = async ({ userId, id }: { userId: number; id: number }) => {
        const kept = mustStay()
        await undoWhole(lists, userId, id)
        expect(kept.filter((row) => !isThere(row))).toEqual([])
        left += (await lists.find(userId, id)).left.length
      }
      for (const one of steps) {
        kiroku.clock.now += 1000
        if ('writes' in one) {
          const [at, method, path, params] = one.writes
          await people[at]?.send(method, ...resolved(handle, path, params))
        } else if ('list' in one) {
          done.push({ userId: users[one.who], id: await takeOver(lists, users[one.who], one.list) })
        } else if ('act' in one) {
          await one.act(deps, users[one.who]).catch((cause) => {
            if (!(cause instanceof ApiError)) throw cause
          })
        } else if (done.length > 0) {
          const chosen = done.at(one.undoes % done.length)
          if (chosen !== undefined) await undo(chosen)
        }
      }
      for (const one of done) await undo(one)
      checkAll()
      handle.run('delete from list_imports')
    }),
    { numRuns: 6 },
  )
  expect(left).toBeGreaterThan(0)
}, 120_000)
