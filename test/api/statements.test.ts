import { Database, type Statement } from 'bun:sqlite'
import { describe, expect, spyOn, test } from 'bun:test'
import { sql } from 'kysely'
import { kyselyOn } from '../../src/db/dialect'

/** A connection, the queries it has run and how many statements were prepared for them. */
function connection() {
  const handle = new Database(':memory:')
  const db = kyselyOn<object>(handle)
  const prepare = spyOn(handle, 'prepare')
  const statements = () => prepare.mock.results.map(({ value }) => value as Statement)
  const run = async (n: number) => (await sql.raw<{ n: number }>(`select ${n} as n`).execute(db)).rows
  return { handle, db, prepare, statements, run }
}

describe('statements', () => {
  test('stay prepared while in use, like all of an instance’s', async () => {
    const { prepare, run } = connection()
    for (let n = 0; n < 200; n++) await run(n)
    for (let n = 0; n < 200; n++) expect(await run(n)).toEqual([{ n }])
    expect(prepare).toHaveBeenCalledTimes(200)
  })

  test('are few hundred, however many different queries are sent (promise 12)', async () => {
    const { statements, run } = connection()
    for (let n = 0; n < 5000; n++) expect(await run(n)).toEqual([{ n }])
    const open = statements().filter(({ isFinalized }) => !isFinalized)
    expect(open.length).toBeWithin(200, 401)
    expect(await run(0)).toEqual([{ n: 0 }])
  })

  test('are closed with the connection', async () => {
    const { handle, db, statements, run } = connection()
    await run(1)
    await db.destroy()
    expect(statements().map(({ isFinalized }) => isFinalized)).toEqual([true])
    // Throws if a statement is still open.
    handle.close(true)
  })
})
