import { sql } from 'kysely'
import { type Filter, filter, idIn } from '../http/list'
import { idList, integer, text } from '../http/params'
import type { ShownTable } from '../http/resource'
import { matches, type SearchKind } from './search'

/** `filter_ids` of a table's list. */
export const byIds = <T extends ShownTable>(table: T): Filter<T> =>
  filter(idList('Only those with these ids'), (_, ids) => idIn(sql.ref(`${table}.id`), ids))

/** `filter_work_id` of a table whose rows belong to a work. */
export const byWork = <T extends ShownTable>(table: T): Filter<T> =>
  // uses the indexes `… (work_id, sort_number, id) where hidden = 0`
  filter(
    integer('Only those of this work', { example: 10079 }),
    (_, id) => sql`${sql.ref(`${table}.work_id`)} = ${id}`,
  )

/** `filter_name` (D17). */
export const byName = <T extends ShownTable & SearchKind>(table: T): Filter<T> =>
  filter(text('Only those whose name contains this text', 'フリーレン'), (_, name) => matches(table, name))

/** The sorts that most lists have. */
export const byId = { what: 'id', column: 'id' } as const
export const bySortNumber = { what: 'sort_number', column: 'sort_number' } as const
