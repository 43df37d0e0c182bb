import { type RawBuilder, sql } from 'kysely'

/** How many ids a block of `ranks` covers; the migration that makes the table says the same. */
export const blockSize = 4096

/** How many rows a list has, or those of one key: the number that triggers keep. 0 where the key is null. */
export const rowCount = (list: string, key?: RawBuilder<unknown>): RawBuilder<number> =>
  key === undefined
    ? sql`(select n from totals where name = ${sql.lit(list)})`
    : sql`ifnull((select n from ranks where list = ${sql.lit(list)} and key = ${key} and block = -1), 0)`

/** How many rows several lists have together, whose names are in a JSON array. */
export const rowCountOfAll = (lists: RawBuilder<unknown>): RawBuilder<number> => sql`(
  select ifnull(sum(n), 0) from ranks
  where list in (select value from json_each(${lists})) and key = 0 and block = -1)`
