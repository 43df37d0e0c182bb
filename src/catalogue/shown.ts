import { type SqlBool, sql } from 'kysely'
import type { Rows, TotalName } from '../http/list'

/** The catalogue's rows that are not hidden (D42), counted in `totals` under the table's name. */
export const shown = <T extends TotalName>(table: T): Rows<T> => ({
  // uses the partial indexes `… where hidden = 0`
  where: () => sql<SqlBool>`${sql.ref(`${table}.hidden`)} = 0`,
  total: table,
})
