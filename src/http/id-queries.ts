import { sql } from 'kysely'
import type { Read } from '../db/open'
import { prepared } from '../db/prepared'
import { type AnyBuilder, narrowed, sorted } from './page-query'
import { type AnyList, ownSlots, type Shape, type Slots, type Values } from './shape'

export type IdQuery = (read: Read, values: Values) => Promise<readonly { readonly id: number }[]>

/** Queries for the ids of a table alone, each compiled once. */
export interface IdQueries {
  /** All, going up. */
  readonly all: IdQuery
  /** Those the list shows at all. */
  readonly shown: IdQuery
  /** Those that a filter leaves, whether the list shows them or not. */
  left(filter: string): IdQuery
  /** The first `limit` in the order that is asked (D14), all where it is -1. */
  sorted(sorts: Shape['sorts']): IdQuery
}

export function idQueries(list: AnyList): IdQueries {
  const { item, rows, filters } = list
  const compiled = new Map<string, IdQuery>()
  const once = (key: string, build: (read: AnyBuilder, slot: Slots) => AnyBuilder): IdQuery => {
    const query = compiled.get(key) ?? prepared<{ id: number }, Values>(build)
    compiled.set(key, query)
    return query
  }
  const all = (read: AnyBuilder) => read.selectFrom(item.table).select(`${item.table}.id`)
  const those = (read: AnyBuilder, ids: AnyBuilder) =>
    read.selectFrom(sql`(select rowid as id from ${ids})`.as('those')).select('id')
  const narrowedTo = (read: AnyBuilder, slot: Slots, by: AnyList, names: readonly string[]) =>
    narrowed(by, { filters: names }, read, slot).select(`${item.table}.id`)
  return {
    all: once('all', (read) => all(read).orderBy('id')),
    shown: once('shown', (read, slot) => {
      const own = rows.rowids?.(slot('viewer'))
      return own ? those(read, own) : narrowedTo(read, slot, list, [])
    }),
    left: (name) =>
      once(`left ${name}`, (read, slot) => {
        const found = filters[name]?.rowids?.(ownSlots(name, slot))
        return found ? those(read, found) : narrowedTo(read, slot, { ...list, rows: {} }, [name])
      }),
    sorted: (sorts) =>
      once(`sorted ${JSON.stringify(sorts)}`, (read, slot) =>
        sorted(all(read), list, { sorts }).limit(slot('limit')),
      ),
  }
}
