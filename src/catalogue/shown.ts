import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { rowCount } from '../db/row-counts'
import type { Rows, TotalName } from '../http/list'

/** The catalogue's rows that are not hidden (D42), counted in `row_counts` under the table's name. */
export const shown = <T extends TotalName>(table: T): Rows<T> => ({
  // uses the partial indexes `… where hidden = 0`
  where: () => isShown(table),
  total: table,
})

/**
 * The same of rows that are not listed where what a column refers to is hidden, such as the casts of a hidden person.
 * `row_counts` counts those too, so they are subtracted: they are few.
 */
export function shownWith<T extends TotalName>(
  table: T,
  references: Readonly<Record<string, 'people' | 'characters' | 'organizations'>>,
): Rows<T> {
  // uses an index of each column
  const refers = Object.entries(references).map(
    ([column, other]) => sql`other.${sql.ref(column)} in ${hiddenRows(other)}`,
  )
  const leftOut = sql`from ${sql.table(table)} as other where other.hidden = 0 and (${sql.join(refers, sql` or `)})`
  return {
    where: () =>
      sql<SqlBool>`${isShown(table)} and ${sql.ref(`${table}.id`)} not in (select other.id ${leftOut})`,
    counted: () => sql<number>`(select ${rowCount(table)} - (select count(*) ${leftOut}))`,
  }
}

/** Whether a column refers to a row that is shown, or to none. */
export const refersToShown = (column: string, table: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`ifnull(${sql.ref(column)}, 0) not in ${hiddenRows(table)}`

const isShown = (table: string): RawBuilder<SqlBool> => sql<SqlBool>`${sql.ref(`${table}.hidden`)} = 0`

// uses the indexes `… where hidden <> 0`
const hiddenRows = (table: string) => sql`(select id from ${sql.table(table)} where hidden <> 0)`
