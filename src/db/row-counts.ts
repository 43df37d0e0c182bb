import { type RawBuilder, sql } from 'kysely'
import { blockBits } from '../../db/facts/row-counts'

export const blockSize = 2 ** blockBits

export const rowCount = (list: string, key: RawBuilder<unknown> = sql.lit(0)): RawBuilder<number> =>
  sql`ifnull((select n from row_counts where list = ${sql.lit(list)} and key = ${key} and block = -1), 0)`

/** `lists`: a JSON array of names. */
export const rowCountOfAll = (lists: RawBuilder<unknown>): RawBuilder<number> => sql`(
  select ifnull(sum(n), 0) from row_counts
  where list in (select value from json_each(${lists})) and key = 0 and block = -1)`
