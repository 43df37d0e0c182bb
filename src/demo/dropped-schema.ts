import type { Database } from 'bun:sqlite'

export interface DroppedSchema {
  restoreIndexes(tables: readonly string[]): void
  restoreTriggers(): void
}

interface SchemaRow {
  readonly type: 'trigger' | 'index'
  readonly name: string
  readonly tbl_name: string
  readonly sql: string
}

/**
 * Drops the triggers and indexes of tables for a bulk insert: per row they would cost twenty times as much as
 * the row. The caller holds the transaction and restores everything before committing.
 */
export function dropTriggersAndIndexes(handle: Database, tables: readonly string[]): DroppedSchema {
  const parts = handle
    .query<SchemaRow, [string]>(
      `select type, name, tbl_name, sql from sqlite_schema where type in ('trigger', 'index') and sql is not null
         and tbl_name in (select value from json_each(?)) order by rowid`,
    )
    .all(JSON.stringify(tables))
  for (const { type, name } of parts) handle.run(`drop ${type} ${name}`)
  const restore = (wanted: (part: SchemaRow) => boolean) => {
    for (const { sql } of parts.filter(wanted)) handle.run(sql)
  }
  return {
    restoreIndexes: (of) => restore(({ type, tbl_name }) => type === 'index' && of.includes(tbl_name)),
    restoreTriggers: () => restore(({ type }) => type === 'trigger'),
  }
}
