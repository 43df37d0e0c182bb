import { prepared, type SlotOf } from '../db/prepared'
import type { Tx } from '../db/write'

type ActivityColumns = {
  user_id: number
  work_id: number
  action: 'create_record' | 'create_multiple_records' | 'create_review' | 'create_status'
  record_id: number | null
  review_id: number | null
  status_kind: string | null
  created_at: number
}

/** D26. `created_at` is in epoch milliseconds. */
export type NewActivity = Pick<ActivityColumns, 'user_id' | 'work_id' | 'action' | 'created_at'> &
  Partial<ActivityColumns>

export const activityColumns = (activity: NewActivity): ActivityColumns => ({
  record_id: null,
  review_id: null,
  status_kind: null,
  ...activity,
})

/** Returns its id. */
export async function insertActivity(tx: Tx, activity: NewActivity): Promise<number> {
  const [made] = await insert(tx, activityColumns(activity))
  return made?.id ?? 0
}

const insert = prepared((tx: Tx, slot: SlotOf<ActivityColumns>) =>
  tx
    .insertInto('activities')
    .values({
      user_id: slot('user_id'),
      work_id: slot('work_id'),
      action: slot('action'),
      record_id: slot('record_id'),
      review_id: slot('review_id'),
      status_kind: slot('status_kind'),
      created_at: slot('created_at'),
    })
    .returning('id'),
)
