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
    const isOne = ids.length === 1
    const key = `${isOne} ${nested.join()}`
    const known = compiled.get(key)
    const query = known ?? rowsQuery(item, nested, isOne)
    if (known === undefined) compiled.set(key, query)
    return await query(read, { id: ids[0] ?? 0, ids: isOne ? '' : JSON.stringify(ids), viewer })
  }
}

/** Per item: a client may request any set of nested fields (promise 12). */
const compiledQueries = 32

/** As in `render.ts`, a single id is not read through `json_each`. */
const rowsQuery = <T extends ShownTable>(item: Item<T>, nested: readonly string[], isOne: boolean) =>
  preparedSql<ItemRow, { id: number; ids: string; viewer: number }>((slot) => {
    const [table, id] = [sql.table(item.table), sql.ref(`${item.table}.id`)]
    const columns = sql.join(columnsOf(item, nested, slot('viewer')))
    return isOne
      ? sql`select ${columns} from ${table} where ${id} = ${slot('id')}`
      : sql`select ${columns} from json_each(${slot('ids')}) as wanted cross join ${table} on ${id} = wanted.value
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
