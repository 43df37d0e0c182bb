import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { findDrift } from '../../src/catalogue/counters/recount'
import { repair } from '../../src/catalogue/counters/repair'
import { anyWrite, resolved } from '../support/any-write'
import { checkCounters, rowsOf } from '../support/counted'
import { createInstance } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { handle } = kiroku.store
const people = await Promise.all(['mio', 'Ritsu_T', 'azusa'].map((name) => personOf(kiroku, name)))
afterAll(kiroku.close)

test('after any writes of several users, every counter equals a count of the rows (D40)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyWrite, { minLength: 10, maxLength: 40 }), async (asked) => {
      for (const [who, method, path, params] of asked) {
        const response = await people[who]?.send(method, ...resolved(handle, path, params))
        expect(response?.status).toBeOneOf([200, 204, 400, 404])
      }
      checkCounters(handle)
      expect(findDrift(handle)).toEqual([])
    }),
    { numRuns: 40 },
  )
})

test('and after writes sent all at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyWrite, { minLength: 10, maxLength: 40 }), async (asked) => {
      const sent = asked.map(async ([who, method, path, params]) =>
        people[who]?.send(method, ...resolved(handle, path, params)),
      )
      for (const response of await Promise.all(sent)) {
        expect(response?.status).toBeOneOf([200, 204, 400, 404])
      }
      checkCounters(handle)
    }),
    { numRuns: 20 },
  )
})

test('and after everything is deleted', () => {
  for (const table of ['records', 'reviews', 'statuses', 'activities', 'follows', 'favorites', 'likes']) {
    handle.run(`delete from ${table}`)
  }
  checkCounters(handle)
  expect(rowsOf(handle, 'notifications')).toEqual([])
  expect(findDrift(handle)).toEqual([])
})

test('wrong counters are found', () => {
  handle.run('update users set records_count = 7 where id = 1')
  handle.run('update episodes set record_comments_count = 2 where id = 3')
  expect(findDrift(handle)).toEqual([
    { table: 'episodes', column: 'record_comments_count', row: 3, kept: 2, counted: 0 },
    { table: 'users', column: 'records_count', row: 1, kept: 7, counted: 0 },
  ])
  expect(findDrift(handle, 1)).toHaveLength(1)
})

test('and a repair corrects them all, whatever they said', async () => {
  await repair(handle)
  checkCounters(handle)
  expect(findDrift(handle)).toEqual([])
})
