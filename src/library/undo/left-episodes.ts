import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { insertAgain, type LoggedRow } from './rows'
import type { RowColumns } from './undoable-tables'

/** Episodes that an undo had to leave for records: they go with the last of those (0027_changes.sql), maybe with this one. */
export async function leftEpisodes(
  tx: Tx,
  { work_id = null, episode_id = null }: RowColumns,
): Promise<LoggedRow[]> {
  const left = sql`exists (
    select 1 from changes where table_name = 'episodes' and left_because is not null and row_id = episodes.id)`
  const { rows } = await sql<RowColumns>`
    select * from episodes where work_id = ${work_id} and ${left} and exists (
      select 1 from episodes where id = ${episode_id} and ${left})`.execute(tx)
  return rows.map((row) => ['episodes', row] as const)
}

/**
 * Episodes that went with their last record (0027_changes.sql) come back before it, and go with it again. Where the list has
 * grown again meanwhile, its episode of that number stands for them. Returns that of the record; undefined if none went.
 */
export async function restoreEpisodes(
  tx: Tx,
  { change, record }: { readonly change: number; readonly record: RowColumns },
  rows: readonly LoggedRow[],
): Promise<number | undefined> {
  let own: number | undefined
  for (const [table, row] of rows) {
    if (table !== 'episodes') continue
    const [present] = await presentEpisode(tx, {
      id: Number(row.id),
      work: Number(row.work_id),
      number: row.number ?? null,
    })
    if (present === undefined && (await insertAgain(tx, [[table, row]])))
      await leaveEpisode(tx, { change, row: Number(row.id) })
    if (row.id === record.episode_id) own = present?.id ?? Number(row.id)
  }
  return own
}

/** Uses episodes_work_all. */
const presentEpisode = preparedSql<
  { id: number },
  { id: number; work: number; number: string | number | null }
>(
  (slot) => sql`
    select id from episodes where id = ${slot('id')}
    union all
    select id from episodes where work_id = ${slot('work')} and number = ${slot('number')} and hidden = 0
    limit 1`,
)

const leaveEpisode = preparedSql<never, { change: number; row: number }>(
  (slot) => sql`
    insert into changes (user_id, act_id, import_id, work_id, table_name, row_id, last_id, is_aside, left_because)
    select user_id, act_id, import_id, work_id, 'episodes', ${slot('row')}, ${slot('row')}, 1, 'used'
    from changes where id = ${slot('change')}`,
)
