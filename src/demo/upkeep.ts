import type { Database } from 'bun:sqlite'

/** What SQLite does at every row of some tables, while it is not done. */
export interface Upkeep {
  /** Makes the indexes of these tables again. */
  restoreIndexes(tables: readonly string[]): void
  restoreTriggers(): void
}

interface Part {
  readonly type: 'trigger' | 'index'
  readonly name: string
  readonly tbl_name: string
  readonly sql: string
}

/**
 * Takes away the triggers and indexes of tables, for many rows at once: row by row they cost twenty times as much as the
 * row. The caller holds the transaction, in which nobody else sees them gone, and puts back all before its end.
 */
export function suspendUpkeep(handle: Database, tables: readonly string[]): Upkeep {
  const parts = handle
    .query<Part, [string]>(
      `select type, name, tbl_name, sql from sqlite_schema where type in ('trigger', 'index') and sql is not null
         and tbl_name in (select value from json_each(?)) order by rowid`,
    )
    .all(JSON.stringify(tables))
  for (const { type, name } of parts) handle.run(`drop ${type} ${name}`)
  const restore = (wanted: (part: Part) => boolean) => {
    for (const { sql } of parts.filter(wanted)) handle.run(sql)
  }
  return {
    restoreIndexes: (of) => restore(({ type, tbl_name }) => type === 'index' && of.includes(tbl_name)),
    restoreTriggers: () => restore(({ type }) => type === 'trigger'),
  }
}
