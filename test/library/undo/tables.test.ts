import { afterAll, expect, test } from 'bun:test'
import { undoableTables } from '../../../src/library/undo/undoable-tables'
import { createInstance } from '../../support/instance'

const { store, close } = await createInstance()
const { handle } = store
afterAll(close)

const tables = Object.entries(undoableTables)
const keysOf = (table: string) =>
  handle
    .query<{ from: string; table: string; on_delete: string }, [string]>(
      'select "from", "table", on_delete from pragma_foreign_key_list(?)',
    )
    .all(table)

test.each(tables)('%s refers to what its foreign keys refer to', (table, { refers }) => {
  expect(Object.fromEntries(keysOf(table).map((key) => [key.from, key.table]))).toEqual({ ...refers })
})

test.each(tables)('with %s, the rows are deleted that the schema deletes', (table, { falls = {} }) => {
  const all = handle.query<{ name: string }, []>("select name from sqlite_schema where type = 'table'").all()
  const falling = all.flatMap(({ name }) =>
    keysOf(name).flatMap((key) =>
      key.table === table && key.on_delete === 'CASCADE' ? [[name, key.from]] : [],
    ),
  )
  expect<unknown>(falls).toEqual(Object.fromEntries(falling))
  for (const name of Object.keys(falls)) expect(name in undoableTables).toBe(true)
})

test.each(tables)('the key of %s is unique', (table, { key }) => {
  const primary = handle
    .query<{ name: string }, [string]>('select name from pragma_table_info(?) where pk > 0 order by pk')
    .all(table)
  expect(primary.map(({ name }) => name)).toEqual([...key])
})
