import type { UpdateObject } from 'kysely'
import type { DB } from '../db/schema'
import type { Tx } from '../db/write'
import { notFound } from '../http/errors'
import { flagColumn, type ShareFlags, shareColumns } from './flags'
import { type RatingState, stateOfRating } from './ratings'

/** The state is derived from the number unless it is sent (D33). */
export function ratingsOf(rating: number | undefined, state: RatingState | undefined) {
  const following = rating === undefined ? null : stateOfRating(rating)
  return { rating: rating ?? null, rating_state: state ?? following }
}

/** Undefined leaves a value unchanged, null clears it (D32). */
interface RecordEdit extends ShareFlags {
  readonly comment: string | null | undefined
  readonly rating: number | null | undefined
  readonly rating_state: RatingState | null | undefined
  readonly private: boolean | null | undefined
}

/** A number sent without a state also sets the state; clearing it leaves the state (D33). `now`: epoch milliseconds. */
export function editedRecord(
  { comment, rating, rating_state, private: mark, ...shares }: RecordEdit,
  now: number,
) {
  const state =
    rating_state === undefined && typeof rating === 'number' ? stateOfRating(rating) : rating_state
  return {
    is_modified: 1,
    modified_at: now,
    comment: comment === null ? '' : comment,
    rating,
    rating_state: state,
    ...shareColumns(shares),
    private: flagColumn(mark),
  }
}

/** Throws not_found, also for somebody else's record. */
export async function updateRecordOf(
  tx: Tx,
  userId: number,
  id: number,
  edit: UpdateObject<DB, 'records'>,
): Promise<{ readonly work_id: number; readonly episode_id: number }> {
  const changed = await tx
    .updateTable('records')
    .set(edit)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(['work_id', 'episode_id'])
    .executeTakeFirst()
  if (changed === undefined) throw notFound('The record')
  return changed
}
