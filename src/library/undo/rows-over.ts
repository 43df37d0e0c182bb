import { type RawBuilder, sql } from 'kysely'
import { survivor } from '../../catalogue/survivors'
import { preparedSql } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { type RowColumns, type UndoableName, undoableTables } from './undoable-tables'

/** What a deleted comment stood under, or the list of a work; and whose that is. */
interface RowOver {
  readonly table: Extract<UndoableName, 'records' | 'reviews' | 'lists'>
  readonly row: number
  readonly user: number
  /** Of its changes. */
  readonly work: number
}

/** `work`: of the deleted row's change. Undefined for rows of other tables. */
export function rowOver(table: UndoableName, row: RowColumns | null, work: number): RowOver | undefined {
  if (row === null) return undefined
  if (table === 'list_works')
    return { table: 'lists', row: Number(row.list_id), user: Number(row.user_id), work: 0 }
  if (table !== 'comments') return undefined
  const user = Number(row.owner_id)
  return row.record_id === null
    ? { table: 'reviews', row: Number(row.review_id), user, work }
    : { table: 'records', row: Number(row.record_id), user, work }
}

/** Whether an undo of its owner would bring it back. Uses changes_row. */
export async function canComeBack(tx: Tx, { table, row, user }: RowOver): Promise<boolean> {
  return (await deletions(tx, { user, table, row })).length > 0
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

/** The same for a work that was taken out of a deleted list. Uses changes_row. */
export const keepOut = preparedSql<never, { user: number; id: number }>(
  (slot) => sql`
    update changes set fallen = (
      select json_group_array(json(value)) from json_each(changes.fallen)
      where not (value ->> 0 = 'list_works' and value -> 1 ->> 'id' = ${slot('id')}))
    where user_id = ${slot('user')} and table_name = 'lists' and fallen is not null and exists (
      select 1 from json_each(changes.fallen) where value ->> 0 = 'list_works' and value -> 1 ->> 'id' = ${slot('id')})`,
)

/** Of a change, `before` what it deleted. */
interface DeletedRow {
  readonly id: number
  readonly userId: number
  readonly actId: number | null
  readonly importId: number | null
  readonly table: UndoableName
  readonly before: RowColumns | null
}

interface ChangeOf {
  readonly act_id: number | null
  readonly import_id: number | null
}

/**
 * The newest change by something later, of another row that is or was in the place of a deleted one: the same work on the list,
 * the same period. Uses changes_row.
 */
export async function laterInPlaceOf(tx: Tx, deleted: DeletedRow): Promise<ChangeOf | undefined> {
  const { id, userId, actId, importId, table, before } = deleted
  const { once } = undoableTables[table]
  if (before === null || once === undefined) return undefined
  const isInPlace = (cell: (column: string) => RawBuilder<unknown>) =>
    sql.join(
      once.map((column) => sql`${cell(column)} = ${before[column] ?? null}`),
      sql` and `,
    )
  const { rows } = await sql<ChangeOf>`
    select act_id, import_id from changes
    where user_id = ${userId} and table_name = ${table} and id > ${id} and left_because is null
      and act_id is not ${actId ?? 0} and import_id is not ${importId ?? 0} and (
        row_id in (select id from ${sql.table(table)} where ${isInPlace((column) => sql.ref(column))})
        or (before is not null and ${isInPlace((column) => sql`before ->> ${column}`)}))
    order by id desc limit 1`.execute(tx)
  return rows[0]
}
