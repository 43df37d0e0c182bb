import type { Tx } from '../../db/write'
import { notFound } from '../../http/errors'
import { deleteRowOf } from '../delete-own'
import { flagColumn } from '../flags'
import { type PressedRating, pressedOpinion } from '../ratings'
import { updateRecordOf } from '../record-edit'
import type { WatchedColumns } from '../watched'
import type { Act, ActDeps } from './act'
import { writeAct } from './write-act'

/** Undefined leaves a value unchanged; '' clears the comment. */
export const editRecord = (
  deps: ActDeps,
  userId: number,
  {
    recordId,
    comment,
    watched,
    isPrivate,
    ...rating
  }: PressedRating & {
    readonly recordId: number
    readonly comment?: string | undefined
    readonly watched?: WatchedColumns | undefined
    readonly isPrivate?: boolean | undefined
  },
): Promise<Act> =>
  writeAct(deps, userId, 'edit_record', async ({ tx, log }) => {
    const mark = { private: flagColumn(isPrivate) }
    const columns = { is_modified: 1, modified_at: deps.now(), comment, ...watched, ...mark }
    const { work_id, episode_id, ...stored } = await ownRecord(tx, userId, recordId)
    const edit = { columns, opinion: pressedOpinion(stored, rating) }
    await log.changed('records', work_id, recordId, () => updateRecordOf(tx, userId, recordId, edit))
    return { workId: work_id, episodeId: episode_id }
  })

export const deleteRecord = (
  deps: ActDeps,
  userId: number,
  { recordId }: { readonly recordId: number },
): Promise<Act> =>
  writeAct(deps, userId, 'delete_record', async ({ tx, log }) => {
    const { work_id, episode_id } = await ownRecord(tx, userId, recordId)
    await log.deleting('records', work_id, recordId)
    await deleteRowOf(tx, userId, { table: 'records', id: recordId, what: 'The record' })
    return { workId: work_id, episodeId: episode_id }
  })

async function ownRecord(tx: Tx, userId: number, id: number) {
  const record = await tx
    .selectFrom('records')
    .select(['work_id', 'episode_id', 'score', 'rating_state'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (record === undefined) throw notFound('The record')
  return record
}
