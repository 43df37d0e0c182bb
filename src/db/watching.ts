/** Called for queries that took `slowMs` or longer; `sql` has placeholders in place of values. */
export interface QueryWatch {
  readonly slowMs: number
  slow(sql: string, milliseconds: number): void
}

/** Called for each group commit with how long each write had waited and how long the commit took, in milliseconds. */
export type GroupWatch = (waited: readonly number[], commitMs: number) => void
