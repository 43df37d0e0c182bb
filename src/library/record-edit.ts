import type { UpdateObject } from 'kysely'
import type { DB } from '../db/schema'
import type { Tx } from '../db/write'
import { notFound } from '../http/errors'
import { flagColumn, type ShareFlags, shareColumns } from './flags'
import { changedOpinion, type SentOpinion, storedScore } from './ratings'

/** Undefined leaves a value unchanged, null clears it (D32). */
interface RecordEdit extends ShareFlags, SentOpinion {
  readonly comment: string | null | undefined
  readonly private: boolean | null | undefined
}

/** `now`: epoch milliseconds. */
export function editedRecord({ comment, private: mark, ...rest }: RecordEdit, now: number) {
  const { share_twitter, share_facebook, score, rating, rating_state } = rest
  const columns = {
    is_modified: 1,
    modified_at: now,
    comment: comment === null ? '' : comment,
    ...shareColumns({ share_twitter, share_facebook }),
    private: flagColumn(mark),
  }
  return { columns, opinion: { score, rating, rating_state } }
}

/** Throws not_found, also for somebody else's record. */
export async function updateRecordOf(
  tx: Tx,
  userId: number,
  id: number,
  { columns, opinion }: { readonly columns: UpdateObject<DB, 'records'>; readonly opinion: SentOpinion },
): Promise<{ readonly work_id: number; readonly episode_id: number }> {
  const change = changedOpinion(await storedScore(tx, 'records', id), opinion)
  const changed = await tx
    .updateTable('records')
    .set({ ...columns, ...change })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(['work_id', 'episode_id'])
    .executeTakeFirst()
  if (changed === undefined) throw notFound('The record')
  return changed
}
