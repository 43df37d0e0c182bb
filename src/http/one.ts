import { type Kysely, sql } from 'kysely'
import type { Read } from '../db/open'
import { prepared } from '../db/prepared'
import type { DB } from '../db/schema'
import { type Assembled, assemble } from './assemble'
import { joined } from './bytes'
import type { Answer } from './command'
import type { Call } from './endpoint'
import type { Item } from './item'
import { itemColumns, type PageRow } from './page-query'
import type { ShownTable } from './resource'

/** How a write reads back the items it made or changed: by the ids of their rows, in any order. */
export function itemsReader<T extends ShownTable>(
  declared: Item<T>,
): (ids: readonly number[], call: Call) => Promise<readonly Assembled[]> {
  const item = declared as unknown as Item
  const names = Object.keys(item.parts)
  const find = prepared<PageRow, { ids: string; viewer: number }>(
    (read: Read, slot) =>
      (read as unknown as Kysely<DB>)
        .selectFrom(item.table)
        .select((eb) => itemColumns(item, names, eb, slot('viewer') as never))
        .where(
          sql.ref<number>(`${item.table}.id`),
          'in',
          sql<number>`(select value from json_each(${slot('ids')}))`,
        ) as never,
  )
  return async (ids, { deps, renderer, viewer }) => {
    const rows = await find(deps.read, { ids: JSON.stringify(ids), viewer: viewer.userId })
    const places = new Map(ids.map((id, at) => [id, at]))
    const place = ({ id }: PageRow) => places.get(id) ?? 0
    return assemble(
      item,
      rows.toSorted((one, other) => place(one) - place(other)),
      names,
      renderer,
    )
  }
}

/** The same for one item. */
export function itemReader<T extends ShownTable>(item: Item<T>): (id: number, call: Call) => Promise<Answer> {
  const read = itemsReader(item)
  return async (id, call) => {
    const [made] = await read([id], call)
    return made === undefined ? null : joined(made)
  }
}
