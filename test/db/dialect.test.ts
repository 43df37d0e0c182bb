import { Database, type SQLQueryBindings } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { kyselyOn } from '../../src/db/dialect'

const types = ['integer', 'real', 'text', 'blob', 'numeric'] as const
const value: fc.Arbitrary<string | number | Uint8Array> = fc.oneof(
  fc.integer({ min: -2, max: 2 }),
  fc.double({ noNaN: true, min: -2, max: 2 }),
  fc.constantFrom('', '0', '1', '1.0', ' 1', '-2', 'a'),
  fc.uint8Array({ maxLength: 2 }),
)

test('a bound value is kept, compared and returned as it would be without its plus, whatever the column', async () => {
  using handle = new Database(':memory:')
  const db = kyselyOn<never>(handle)
  for (const type of types) handle.run(`create table ${type}s (x ${type}, y ${type})`)
  for (const type of types) handle.run(`create index ${type}s_x on ${type}s (x) where y > 0`)
  const one = async (type: string, kept: SQLQueryBindings, asked: SQLQueryBindings) => {
    handle.run(`delete from ${type}s`)
    const table = sql.table(`${type}s`)
    await sql`insert into ${table} values (${kept}, ${kept})`.execute(db)
    const { rows } =
      await sql`select x, typeof(x) as t, x = ${asked} as same, x < ${asked} as less, ${asked} as asked,
        (select count(*) from ${table} where x >= ${asked} and y > 0 limit ${1} offset ${0}) as many from ${table}`.execute(
        db,
      )
    const plain = `select x, typeof(x) as t, x = ?1 as same, x < ?1 as less, ?1 as asked,
        (select count(*) from ${type}s where x >= ?1 and y > 0 limit 1 offset 0) as many from ${type}s`
    handle.run(`delete from ${type}s`)
    handle.run(`insert into ${type}s values (?1, ?1)`, [kept])
    expect(rows).toEqual(handle.query(plain).all(asked))
  }
  await fc.assert(fc.asyncProperty(fc.constantFrom(...types), value, value, one), { numRuns: 500 })
  await db.destroy()
})

test('0 and 1 are written out where something is compared with them, so that partial indexes are found', async () => {
  using handle = new Database(':memory:')
  handle.run('create table works (id integer primary key, year integer, hidden integer)')
  handle.run('create index works_year on works (year) where hidden = 0')
  const db = kyselyOn<{ works: { id: number; year: number; hidden: number } }>(handle)
  const query = db.selectFrom('works').select('id').where('hidden', '=', 0).where('year', '=', 2024).limit(1)
  const { sql: text, parameters } = query.compile()
  expect({ text, parameters }).toEqual({
    text: 'select "id" from "works" where "hidden" = 0 and "year" = +? limit 1',
    parameters: [2024],
  })
  const plan = handle.query<{ detail: string }, [number]>(`explain query plan ${text}`).all(2024)
  expect(plan.map(({ detail }) => detail).join()).toContain('works_year (year=?)')
  const flag = db.insertInto('works').values({ id: 1, year: 1, hidden: 0 }).compile()
  expect(flag.sql).toBe('insert into "works" ("id", "year", "hidden") values (+?, +?, +?)')
  await db.destroy()
})
