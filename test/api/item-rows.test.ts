import { afterAll, expect, spyOn, test } from 'bun:test'
import { SqliteQueryCompiler } from 'kysely'
import { itemRows } from '../../src/api/item-rows'
import { activityItem } from '../../src/library/activities'
import { createInstance } from '../support/instance'

const kiroku = await createInstance()
afterAll(kiroku.close)

test('of the queries for any nested fields, an item keeps the 32 that were used last (promise 12)', async () => {
  const read = itemRows(activityItem)
  const names = Object.keys(activityItem.nested)
  const sets = Array.from({ length: 40 }, (_, n) => names.filter((_, bit) => n & (1 << bit)))
  const compile = spyOn(SqliteQueryCompiler.prototype, 'compileQuery')
  const compiled = async (some: typeof sets) => {
    compile.mockClear()
    for (const nested of some) await read(kiroku.deps.read, [1], nested, 1)
    return compile.mock.calls.length
  }
  expect(await compiled(sets)).toBe(40)
  expect(await compiled(sets.slice(-32))).toBe(0)
  expect(await compiled(sets.slice(0, 1))).toBe(1)
  compile.mockRestore()
})
