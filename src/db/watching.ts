/** Told of queries that took `slowMs` or longer; `sql` has placeholders for the values. */
export interface QueryWatch {
  readonly slowMs: number
  slow(sql: string, milliseconds: number): void
}

/** Told of each group commit: the time each write had waited, and the commit's, in milliseconds. */
export type GroupWatch = (waited: readonly number[], commitMs: number) => void
