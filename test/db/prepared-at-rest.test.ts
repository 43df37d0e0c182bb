import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { kyselyOn } from '../../src/db/dialect'
import { emptyCaches } from '../../src/lib/collect-garbage'

/** A database in memory, and how many of its prepared statements have not been given back. */
function countedDatabase() {
  const handle = new Database(':memory:')
  let open = 0
  const prepare = handle.prepare.bind(handle)
  const counted = (text: string) => {
    const statement = prepare(text)
    const finalize = statement.finalize.bind(statement)
    open += 1
    return Object.assign(statement, {
      finalize: () => {
        open -= 1
        finalize()
      },
    })
  }
  return { handle: Object.assign(handle, { prepare: counted as never }), open: () => open }
}

const select = (db: ReturnType<typeof kyselyOn>, n: number) =>
  sql`select ${n} as n, ${sql.raw(String(n))}`.execute(db)

test('a connection keeps the 256 statements that it used last (promise 12)', async () => {
  const { handle, open } = countedDatabase()
  const db = kyselyOn(handle)
  for (let n = 0; n < 1000; n += 1) await select(db, n)
  expect(open()).toBe(256)
  handle.close()
})

test('prepared statements are given back at rest, and prepared again when they are needed', async () => {
  const { handle, open } = countedDatabase()
  const db = kyselyOn(handle)
  for (const n of [1, 2, 3, 3]) await select(db, n)
  expect(open()).toBe(3)
  emptyCaches()
  expect(open()).toBe(0)
  expect((await select(db, 3)).rows).toEqual<unknown>([{ n: 3, '3': 3 }])
  expect(open()).toBe(1)
  handle.close()
})
