import type { Database, SQLQueryBindings } from 'bun:sqlite'

/** The first column of all rows of a query, for example their ids. */
export const numbersOf = (handle: Database, sql: string, ...values: readonly SQLQueryBindings[]): number[] =>
  handle
    .query<never, SQLQueryBindings[]>(sql)
    .values(...values)
    .map(([number]) => Number(number))
