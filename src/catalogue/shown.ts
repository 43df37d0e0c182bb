import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Rows } from '../api/list-declaration'
import { rowCount } from '../db/row-counts'
import { unknownStation } from './estimate/listed-programs'

type CountedTable =
  | 'series'
  | 'works'
  | 'episodes'
  | 'characters'
  | 'people'
  | 'organizations'
  | 'casts'
  | 'staffs'

/** Rows that are not hidden (D42), counted under the table's name. */
export const shown = <T extends CountedTable>(table: T): Rows<T> => ({
  // uses the partial indexes `… where hidden = 0`
  where: () => isShown(table),
  counted: () => rowCount(table),
})

/** Also leaves out rows that reference a hidden row, for example casts of a hidden person. */
export const shownUnlessWithheld = <T extends 'casts' | 'staffs'>(table: T): Rows<T> => ({
  // uses the partial indexes `… where hidden = 0 and withheld = 0`
  where: () => isShownUnlessWithheld(table),
  // uses casts_withheld and staffs_withheld: such rows are few
  counted: () =>
    sql<number>`(${rowCount(table)} - (select count(*) from ${sql.table(table)} where hidden = 0 and withheld = 1))`,
})

/** Also true for null. Usually nothing is hidden, which is checked only once. */
export function refersToShown(column: RawBuilder<unknown>, table: string): RawBuilder<SqlBool> {
  const hidden = hiddenRows(table)
  return sql<SqlBool>`(not exists ${hidden} or ifnull(${column}, 0) not in ${hidden})`
}

/** Whether it is known which station it is. */
export const isStation = (channel: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`${channel} not in ${sql.raw(unknownStation)}`

export const isShown = (table: string): RawBuilder<SqlBool> => sql<SqlBool>`${sql.ref(`${table}.hidden`)} = 0`

export const isShownUnlessWithheld = (table: 'casts' | 'staffs'): RawBuilder<SqlBool> =>
  sql<SqlBool>`${isShown(table)} and ${sql.ref(`${table}.withheld`)} = 0`

// uses the indexes `… where hidden <> 0`
const hiddenRows = (table: string) => sql`(select id from ${sql.table(table)} where hidden <> 0)`
