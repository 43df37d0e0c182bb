import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Rows } from '../paging/paged-list'
import { unknownStation } from './estimate/listed-programs'

type HideableTable = 'series' | 'works' | 'episodes' | 'characters' | 'people' | 'organizations'

/** Rows that are not hidden (D42). */
export const shown = <T extends HideableTable>(table: T): Rows<T> => ({
  // uses the partial indexes `… where hidden = 0`
  where: () => isShown(table),
  counted: () => shownCount(table),
})

/** The number of rows that are not hidden: SQLite counts all of them by the page, and few are hidden. */
export const shownCount = (table: HideableTable): RawBuilder<number> => allBut(table, sql`hidden <> 0`)

/** Also leaves out rows that reference a hidden row, for example casts of a hidden person. */
export const shownUnlessWithheld = <T extends 'casts' | 'staffs'>(table: T): Rows<T> => ({
  // uses the partial indexes `… where hidden = 0 and withheld = 0`
  where: () => isShownUnlessWithheld(table),
  // uses casts_unlisted and staffs_unlisted
  counted: () => allBut(table, sql`hidden <> 0 or withheld <> 0`),
})

const allBut = (table: string, exceptions: RawBuilder<unknown>) => sql<number>`(
  (select count(*) from ${sql.table(table)}) - (select count(*) from ${sql.table(table)} where ${exceptions}))`

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

/** SQL, for a row of `episodes`: 1 if no other shown episode of the work has its number. Uses episodes_work_all. */
export const isOnlyOfItsNumber: RawBuilder<number> = sql<number>`not exists (
  select 1 from episodes as same where same.work_id = episodes.work_id and same.number = episodes.number
    and same.id <> episodes.id and same.hidden = 0)`
