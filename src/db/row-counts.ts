import { type RawBuilder, sql } from 'kysely'
import { blockBits } from '../../db/facts/row-counts'

/** How many ids a block of `row_counts` covers. */
export const blockSize = 2 ** blockBits

/** How many rows a list has, or those of one key: the number that triggers keep. Null where the key is null. */
export const rowCount = (list: string, key: RawBuilder<unknown> = sql.lit(0)): RawBuilder<number> =>
  sql`ifnull((select n from row_counts where list = ${sql.lit(list)} and key = ${key} and block = -1), 0)`

/** How many rows several lists have together, whose names are in a JSON array. */
export const rowCountOfAll = (lists: RawBuilder<unknown>): RawBuilder<number> => sql`(
  select ifnull(sum(n), 0) from row_counts
  where list in (select value from json_each(${lists})) and key = 0 and block = -1)`
