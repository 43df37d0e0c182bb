import { type SelectQueryBuilder, sql } from 'kysely'
import type { Read } from '../../db/open'
import { withTimes } from '../../lib/time'

/** Rows read at once: a few milliseconds' worth. */
const atOnce = 500

/** Read by keyset: rows ordered by `place`, a positive number, starting after `after`. */
export interface ExportSection {
  readonly name: string
  rows(read: Read, userId: number, after: number): Promise<readonly ExportRow[]>
}

export interface ExportRow {
  readonly place: number
  readonly value: object
}

/** The query must select `place`, the sort key. Numbers called `…_at` become ISO 8601 after `present`. */
export const exportSection = <DB, Tables extends keyof DB, R extends { readonly place: number }>(
  name: string,
  query: (read: Read, userId: number) => SelectQueryBuilder<DB, Tables, R>,
  present: (row: Omit<R, 'place'>) => object = (row) => row,
): ExportSection => ({
  name,
  rows: async (read, userId, after) => {
    const rows = await query(read, userId)
      // SQLite accepts a column alias in `where`.
      .where(sql<boolean>`place > ${after}`)
      .orderBy(sql`place`)
      .limit(atOnce)
      .execute()
    return rows.map(({ place, ...row }) => ({ place, value: withTimes(present(row)) }))
  },
})

/** Turns the work's columns into an object next to the row's other columns. */
export const withWork = <R extends { readonly work_id: number; readonly title: string }>({
  work_id,
  title,
  ...row
}: R) => ({ work: { id: work_id, title }, ...row })
