import { sql } from 'kysely'
import { prepared, preparedSql, type SlotOf } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { notFound } from '../../http/errors'
import { type ActDeps, keptMs } from '../acts/act'
import { type Change, takeBackRow } from './take-back'
import { blockerOf, UndoRefused, undoLeft, writtenInTheWay } from './undo-changes'
import type { RowColumns } from './undoable-tables'

/**
 * Deletes the records or the review that an application wrote, or restores the status before it (D122): by the rows
 * themselves, as nothing else was logged. Throws not_found, also for what was written on a page, or `UndoRefused`.
 */
export async function undoWritten(
  { write, now }: Pick<ActDeps, 'write' | 'now'>,
  userId: number,
  { activityId }: { readonly activityId: number },
): Promise<void> {
  const at = now()
  await write(async (tx) => {
    const [written] = await writtenActivity(tx, { id: activityId, user: userId })
    if (written === undefined) throw notFound('What an application wrote')
    if (written.created_at < at - keptMs) throw new UndoRefused('expired')
    const changes = await changesOf(tx, userId, written)
    const later = await changedSince(tx, userId, written)
    for (const change of changes) {
      // Of a status, its dates only may have changed, too, which tell nothing of when.
      const why = later.stands ? 'changed' : await takeBackRow(tx, change, change.rowId)
      if (why !== undefined && !change.isAside)
        throw new UndoRefused(why, await blockerOfWritten(tx, change, later))
    }
    await tx.deleteFrom('activities').where('id', '=', activityId).execute()
    await undoLeft(tx, userId, changes)
  })
}

type WrittenActivity = {
  readonly id: number
  readonly work_id: number
  readonly record_id: number | null
  readonly review_id: number | null
  readonly status_kind: string | null
  readonly former: string | null
  readonly created_at: number
}

const writtenActivity = prepared((tx: Tx, slot: SlotOf<{ id: number; user: number }>) =>
  tx
    .selectFrom('activities')
    .select(['id', 'work_id', 'record_id', 'review_id', 'status_kind', 'former', 'created_at'])
    .where('id', '=', slot('id'))
    .where('user_id', '=', slot('user'))
    .where('token_id', 'is not', null),
)

/** What set the status since, or deleted a record that would come back with the undo of that. */
async function blockerOfWritten(tx: Tx, change: Change, { after, stands }: LaterStatus) {
  const written = change.table === 'statuses' && !stands && (await writtenInTheWay(tx, change, 'changed'))
  return written || blockerOf(tx, { ...change, id: after }, 'changed')
}

/** As if they had been logged, in the order of an undo. */
async function changesOf(tx: Tx, userId: number, written: WrittenActivity): Promise<readonly Change[]> {
  const { work_id, status_kind, review_id, record_id, former, created_at } = written
  const logged = (table: Change['table'], rowId: number, more: Partial<Change> = {}): Change => ({
    ...{ id: Number.MAX_SAFE_INTEGER, userId, actId: null, importId: null, workId: work_id, table },
    ...{ rowId, lastId: rowId, before: null, after: null, fallen: null, isAside: false, ...more },
  })
  if (review_id !== null) return [logged('reviews', review_id)]
  if (status_kind === null)
    return (await recordsOf(tx, written, record_id)).map((id) => logged('records', id))
  const before: RowColumns | null = JSON.parse(former ?? 'null')
  const status = logged('statuses', work_id, { before, after: { kind: status_kind, changed_at: created_at } })
  const entries = former === null ? await entriesOf(tx, { user: userId, work: work_id }) : []
  return [status, ...entries.map(({ id }) => logged('library_entries', id, { isAside: true }))]
}

async function recordsOf(tx: Tx, { id }: WrittenActivity, record: number | null): Promise<readonly number[]> {
  if (record !== null) return [record]
  const rows = await tx
    .selectFrom('activity_records')
    .select('record_id')
    .where('activity_id', '=', id)
    .orderBy('record_id', 'desc')
    .execute()
  return rows.map(({ record_id }) => record_id)
}

const entriesOf = preparedSql<{ id: number }, { user: number; work: number }>(
  (slot) => sql`
    select id from library_entries where user_id = ${slot('user')} and work_id = ${slot('work')}`,
)

interface LaterStatus {
  /** The id of the change before those of acts and imports that were later. */
  readonly after: number
  /** Whether one of them changed the status and is not undone. One that an undo left stands for what it waits for. */
  readonly stands: boolean
}

async function changedSince(tx: Tx, user: number, written: WrittenActivity): Promise<LaterStatus> {
  if (written.status_kind === null) return { after: 0, stands: false }
  const [later] = await laterStatuses(tx, { user, work: written.work_id, at: written.created_at })
  return { after: later?.after ?? Number.MAX_SAFE_INTEGER, stands: (later?.standing ?? 0) > 0 }
}

/** Uses changes_row. */
const laterStatuses = preparedSql<
  { after: number | null; standing: number },
  { user: number; work: number; at: number }
>(
  (slot) => sql`
    select min(changes.id) - 1 as after, count(*) filter (where left_because is null) as standing
    from changes left join acts on acts.id = act_id left join list_imports on list_imports.id = import_id
    where changes.user_id = ${slot('user')} and table_name = 'statuses' and row_id = ${slot('work')}
      and ifnull(acts.created_at, ifnull(list_imports.applied_at, list_imports.changed_at)) > ${slot('at')}`,
)
