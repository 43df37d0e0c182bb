import { type SelectQueryBuilder, sql } from 'kysely'
import type { Read } from '../../db/open'
import { withTimes } from '../../lib/time'

/** How many rows are read at once: a few milliseconds' worth. */
const atOnce = 500

/** A list of an export: its rows are read in the order of `place`, a number above 0, from the one after `after`. */
export interface Section {
  readonly name: string
  rows(read: Read, userId: number, after: number): Promise<readonly Row[]>
}

/** What an export says of a row, and where the row stands in its list. */
export interface Row {
  readonly place: number
  readonly value: object
}

/**
 * Declares a list of an export by the query for its rows, whose `place` is the column that they are read in the order
 * of, and by what is said of each: all of it unless `present` says otherwise. Numbers called `…_at` are times.
 */
export const section = <DB, Tables extends keyof DB, R extends { readonly place: number }>(
  name: string,
  query: (read: Read, userId: number) => SelectQueryBuilder<DB, Tables, R>,
  present: (row: Omit<R, 'place'>) => object = (row) => row,
): Section => ({
  name,
  rows: async (read, userId, after) => {
    const rows = await query(read, userId)
      // SQLite knows a column by its new name here too.
      .where(sql<boolean>`place > ${after}`)
      .orderBy(sql`place`)
      .limit(atOnce)
      .execute()
    return rows.map(({ place, ...row }) => ({ place, value: withTimes(present(row)) }))
  },
})
