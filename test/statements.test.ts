import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { kyselyOn } from '../src/db/dialect'

test('a query stays prepared, however many different ones there are', async () => {
  const handle = new Database(':memory:')
  const db = kyselyOn<object>(handle)
  const texts = Array.from({ length: 300 }, (_, n) => `select ${n} as n`)
  for (const text of texts) await sql.raw(text).execute(db)
  const statements = texts.map((text) => handle.query(text))
  for (const text of texts) await sql.raw(text).execute(db)
  expect(texts.filter((text, at) => handle.query(text) !== statements[at])).toEqual([])
  handle.close()
})
