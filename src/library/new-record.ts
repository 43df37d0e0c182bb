import { prepared, type SlotOf } from '../db/prepared'
import type { Tx } from '../db/write'
import type { RatingState } from './ratings'
import type { Precision } from './watched'

/** Booleans are 0 or 1, times epoch milliseconds. */
export type NewRecord = {
  user_id: number
  work_id: number
  episode_id: number
  comment: string
  rating: number | null
  rating_state: RatingState | null
  share_twitter: number
  share_facebook: number
  watched_at: number
  watched_at_precision: Precision
  created_at: number
}

/** Returns its id. The caller inserts the activity, which differs for one record and for several (D26). */
export async function insertRecord(tx: Tx, row: NewRecord): Promise<number> {
  const [made] = await insert(tx, row)
  return made?.id ?? 0
}

const insert = prepared((tx: Tx, slot: SlotOf<NewRecord>) =>
  tx
    .insertInto('records')
    .values({
      user_id: slot('user_id'),
      work_id: slot('work_id'),
      episode_id: slot('episode_id'),
      comment: slot('comment'),
      rating: slot('rating'),
      rating_state: slot('rating_state'),
      share_twitter: slot('share_twitter'),
      share_facebook: slot('share_facebook'),
      watched_at: slot('watched_at'),
      watched_at_precision: slot('watched_at_precision'),
      created_at: slot('created_at'),
    })
    .returning('id'),
)
