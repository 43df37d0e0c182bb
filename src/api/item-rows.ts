import { type AliasedExpression, expressionBuilder, type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Read } from '../db/open'
import { preparedSql } from '../db/prepared'
import type { DB } from '../db/schema'
import { emptiedAtRest } from '../lib/collect-garbage'
import type { ShownTable } from '../paging/paged-list'
import type { Item } from './item'
import { type FieldCell, versionOf } from './nested-fields'

export type ItemRow = Readonly<Record<string, FieldCell>> & {
  readonly row_id: number
  readonly id: number
  readonly version: number
}

export type ReadItemRows = (
  read: Read,
  ids: readonly number[],
  nested: readonly string[],
  viewer: number,
) => Promise<readonly ItemRow[]>

/** In the order of the ids; deleted rows are left out. */
export function itemRows<T extends ShownTable>(item: Item<T>): ReadItemRows {
  const compiled = emptiedAtRest(new LRUCache<string, ReturnType<typeof rowsQuery>>({ max: compiledQueries }))
  return async (read, ids, nested, viewer) => {
    if (ids.length === 0) return []
    const key = nested.join()
    const query = compiled.get(key) ?? rowsQuery(item, nested)
    compiled.set(key, query)
    return await query(read, { ids: JSON.stringify(ids), viewer })
  }
}

/** Per item: a client may request any set of nested fields (promise 12). */
const compiledQueries = 32

const rowsQuery = <T extends ShownTable>(item: Item<T>, nested: readonly string[]) =>
  preparedSql<ItemRow, { ids: string; viewer: number }>((slot) => {
    const id = sql.ref(`${item.table}.id`)
    return sql`select ${sql.join(columnsOf(item, nested, slot('viewer')))}
      from json_each(${slot('ids')}) as wanted cross join ${sql.table(item.table)} on ${id} = wanted.value
      order by wanted.key`
  })

function columnsOf<T extends ShownTable>(
  { table, resourceId, resource, nested }: Item<T>,
  wanted: readonly string[],
  viewer: RawBuilder<number>,
): (RawBuilder<unknown> | AliasedExpression<unknown, string>)[] {
  const eb = expressionBuilder<DB, T>()
  const rowId = sql<number>`${sql.ref(`${table}.id`)}`
  const id = resourceId?.(eb) ?? rowId
  const version = resourceId === undefined ? sql`${sql.ref(`${table}.version`)}` : versionOf(resource, id)
  const nestedColumns = wanted.flatMap((name) => nested[name]?.columns(eb, name, viewer) ?? [])
  return [sql`${rowId} as row_id`, sql`${id} as id`, sql`${version} as version`, ...nestedColumns]
}
