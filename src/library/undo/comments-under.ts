import { sql } from 'kysely'
import { survivor } from '../../catalogue/survivors'
import { preparedSql } from '../../db/prepared'
import type { Tx } from '../../db/write'
import type { RowColumns, UndoableName } from './undoable-tables'

/** What a deleted comment stood under, and whose that is. */
export interface CommentedRow {
  readonly table: Extract<UndoableName, 'records' | 'reviews'>
  readonly id: number
  readonly userId: number
}

/** Undefined for rows of other tables. */
export function rowOver(table: UndoableName, row: RowColumns | null): CommentedRow | undefined {
  if (table !== 'comments' || row === null) return undefined
  const userId = Number(row.owner_id)
  return row.record_id === null
    ? { table: 'reviews', id: Number(row.review_id), userId }
    : { table: 'records', id: Number(row.record_id), userId }
}

/** Whether an undo of its owner would bring it back. Uses changes_row. */
export async function canComeBack(tx: Tx, over: CommentedRow): Promise<boolean> {
  return (await deletions(tx, { user: over.userId, table: over.table, row: over.id })).length > 0
}

const deletions = preparedSql<{ id: number }, { user: number; table: string; row: number }>(
  (slot) => sql`
    select id from changes where user_id = ${slot('user')} and table_name = ${slot('table')} and row_id = ${slot('row')}
      and before is not null and after is null and left_because is null
    limit 1`,
)

/**
 * A comment whose writer took it back after it had been deleted with what it stood under: the undo of that, which may be
 * somebody else's, does not bring it back.
 */
export const keepAway = preparedSql<never, { work: number; id: number }>(
  (slot) => sql`
    update changes set fallen = (
      select json_group_array(json(value)) from json_each(changes.fallen)
      where not (value ->> 0 = 'comments' and value -> 1 ->> 'id' = ${slot('id')}))
    -- uses changes_fallen
    where work_id in (${slot('work')}, ${survivor('works', slot('work'))}) and fallen is not null and exists (
      select 1 from json_each(changes.fallen) where value ->> 0 = 'comments' and value -> 1 ->> 'id' = ${slot('id')})`,
)
