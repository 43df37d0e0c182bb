import { type RawBuilder, sql } from 'kysely'

/** Of one person. */
export const mostFavoriteWorks = 10

/** A deleted row that an undo would bring back: SQL for a value of its columns. */
export type GoneCell = (column: string) => RawBuilder<unknown>

/** As SQL: there is room for it. */
export const favoriteComesBack = (gone: GoneCell): RawBuilder<unknown> =>
  sql`(select count(work_id) from favorites where user_id = ${gone('user_id')}) < ${sql.lit(mostFavoriteWorks)}`
