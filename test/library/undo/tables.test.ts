import { afterAll, expect, test } from 'bun:test'
import type { Kysely } from 'kysely'
import { counters } from '../../../db/facts/counters'
import type { DB } from '../../../src/db/schema'
import { undoableTables } from '../../../src/library/undo/undoable-tables'
import { createInstance } from '../../support/instance'

const { store, deps, close } = await createInstance()
const { handle } = store
afterAll(close)

const tables = Object.entries(undoableTables)
const keysOf = (table: string) =>
  handle
    .query<{ from: string; table: string; on_delete: string }, [string]>(
      'select "from", "table", on_delete from pragma_foreign_key_list(?)',
    )
    .all(table)

const named = handle.query<{ name: string }, []>("select name from sqlite_schema where type = 'table'").all()

test.each(tables)('%s refers to what its foreign keys refer to', (table, { refers }) => {
  expect(Object.fromEntries(keysOf(table).map((key) => [key.from, key.table]))).toEqual({ ...refers })
})

test.each(tables)('with %s, the rows are deleted that the schema deletes', (table, { falls = {} }) => {
  const falling = named.flatMap(({ name }) =>
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
  const indexed = handle
    .query<{ names: string }, [string]>(
      `select (select json_group_array(name) from pragma_index_info(list.name)) as names
       from pragma_index_list(?) as list where "unique"`,
    )
    .all(table)
  const unique = [
    primary.map(({ name }) => name),
    ...indexed.map(({ names }): string[] => JSON.parse(names)),
  ].map((names) => names.toSorted())
  expect(unique).toContainEqual([...key].toSorted())
})

test.each(tables.filter(([, { stays }]) => stays !== undefined))(
  'a row of %s stays as long as another table refers to it, which may be somebody else’s',
  (table, { stays }) => {
    const used = stays?.used?.compile(deps.read as unknown as Kysely<DB>).sql ?? ''
    const referring = named.filter(({ name }) => keysOf(name).some((key) => key.table === table))
    const unasked = referring.filter(({ name }) => {
      const counted = counters.filter((counter) => counter.table === table && counter.counts === name)
      const ways = [`from ${name} `, ...counted.map(({ column }) => `row.${column} > 0`)]
      return !ways.some((way) => used.includes(way))
    })
    expect(unasked.map(({ name }) => name)).toEqual([])
  },
)
