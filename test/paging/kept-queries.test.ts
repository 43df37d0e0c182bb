import { afterAll, expect, spyOn, test } from 'bun:test'
import { type CompiledQuery, SqliteQueryCompiler } from 'kysely'
import { HandleConnection } from '../../src/db/connections'
import { emptyCaches } from '../../src/lib/collect-garbage'
import { createInstance } from '../support/instance'

const kiroku = await createInstance()
afterAll(kiroku.close)

/** Each page is another answer, which nobody has kept. */
let asked = 0
const ask = (parameters: string) => kiroku.json(`/v1/works?per_page=${1 + (asked++ % 50)}&${parameters}`)

/** How often the works of a title were counted. */
async function counted(numbers: readonly number[]): Promise<number> {
  const execute = spyOn(HandleConnection.prototype, 'execute')
  for (const n of numbers) await ask(`filter_title=%E6%98%9F${n}`)
  const count = execute.mock.calls.filter(([{ sql }]) => / as total, .* as above$/s.test(sql)).length
  execute.mockRestore()
  return count
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

test('a list keeps the totals of the 250 requests that were made last (promise 12)', async () => {
  expect(await counted(upTo(250))).toBe(250)
  expect(await counted(upTo(250))).toBe(0)
  expect(await counted([250, 0, 249])).toBe(2)
})

const or = <T>(one: T): readonly (T | undefined)[] => [undefined, one]
const ways = (sort: string) => [undefined, `${sort}=asc`, `${sort}=desc`]
/** Combinations of filters and sorts, each of which is another query. Not sorted by id: no other sort comes after that one. */
const kinds = or('filter_ids=1,2,3').flatMap((ids) =>
  or('filter_season=2020-all').flatMap((season) =>
    or('filter_title=%E6%98%9F').flatMap((title) =>
      ways('sort_season').flatMap((first) =>
        ways('sort_watchers_count').map((second) =>
          [ids, season, title, first, second].filter((one) => one !== undefined).join('&'),
        ),
      ),
    ),
  ),
)

/** How many queries for the ids of a page were compiled. */
async function compiled(parameters: string): Promise<number> {
  const compile = spyOn(SqliteQueryCompiler.prototype, 'compileQuery')
  await ask(parameters)
  const count = compile.mock.results.filter(({ value }) =>
    / offset /.test((value as CompiledQuery).sql),
  ).length
  compile.mockRestore()
  return count
}

test('a list keeps the compiled queries that were used last, however many kinds there are (promise 12)', async () => {
  const [first = '', ...others] = kinds
  // Other tests of this process may have requested it.
  emptyCaches()
  expect(await compiled(first)).toBe(1)
  expect(await compiled(first)).toBe(0)
  for (const other of others) await ask(other)
  expect(kinds).toHaveLength(72)
  expect(await compiled(first)).toBe(1)
  expect(await compiled(others.at(-1) ?? '')).toBe(0)
})
