import { type RawBuilder, sql } from 'kysely'

/** The lists of `ranks` that count the rows of a table, all of them or split by whether they have text. */
export const flagged =
  (table: string, filter: string, text: string) =>
  (asked: Readonly<Record<string, unknown>>, filters: readonly string[]): readonly string[] | undefined => {
    if (filters.length === 0) return [table]
    if (filters.length > 1 || filters[0] !== filter) return undefined
    return [`${table}${asked[filter] === true ? '+' : '-'}${text}`]
  }

/** The kept total of a list of `ranks` that is counted by work or by user. */
export const totalBy = (list: string, key: RawBuilder<number | null>): RawBuilder<number> =>
  sql`ifnull((select n from ranks where list = ${sql.lit(list)} and key = ${key} and block = -1), 0)`
