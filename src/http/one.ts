import { type Kysely, sql } from 'kysely'
import type { Read } from '../db/open'
import { prepared } from '../db/prepared'
import type { DB } from '../db/schema'
import { assemble } from './assemble'
import type { Answer } from './command'
import type { Call } from './endpoint'
import { type Item, itemValue } from './item'
import { itemColumns, type PageRow } from './page-query'
import type { ShownTable } from './resource'

/** How a write reads back the item it made or changed: by the id of its row. */
export function itemReader<T extends ShownTable>(
  declared: Item<T>,
): (id: number, call: Call) => Promise<Answer> {
  const item = declared as unknown as Item
  const names = Object.keys(item.parts)
  const find = prepared<PageRow, { id: number; viewer: number }>(
    (read: Read, slot) =>
      (read as unknown as Kysely<DB>)
        .selectFrom(item.table)
        .select((eb) => itemColumns(item, names, eb, slot('viewer') as never))
        .where(sql.ref(`${item.table}.id`), '=', slot('id')) as never,
  )
  return async (id, { deps, renderer, viewer }) => {
    const [assembled] = await assemble(
      item,
      await find(deps.read, { id, viewer: viewer.userId }),
      names,
      renderer,
    )
    return assembled === undefined ? null : itemValue(assembled)
  }
}
