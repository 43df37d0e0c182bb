import { prepared, type SlotOf } from '../db/prepared'
import type { Tx } from '../db/write'
import { privateOr } from './flags'
import { currentLap } from './laps'
import { insertActivity, type WritingToken } from './new-activity'
import type { KeptOpinion, RatingState } from './ratings'
import type { Precision } from './watched'

/** Booleans are 0 or 1, times epoch milliseconds. */
export type NewRecord = {
  user_id: number
  work_id: number
  episode_id: number
  comment: string
  share_twitter: number
  share_facebook: number
  watched_at: number
  watched_at_precision: Precision
  created_at: number
  rating: number | null
  rating_state: RatingState | null
  /** From 1 to 100 (D87). */
  score?: number | null
} & Marked

/** Whether it is private; null as its user prefers (D72). */
export type Marked = { private?: number | null }

/** Inserts its activity too (D26). Returns its id. */
export async function recordOne(tx: Tx, row: NewRecord, writer?: WritingToken): Promise<number> {
  const record_id = await insertRecord(tx, row)
  const { user_id, work_id, created_at } = row
  await insertActivity(tx, { user_id, work_id, action: 'create_record', record_id, created_at, ...writer })
  return record_id
}

/** Inserts one activity per work too (D26). Returns the records' ids, in the order of the episodes. */
export async function recordSeveral(
  tx: Tx,
  episodes: readonly RecordedEpisode[],
  each: SharedColumns,
  writer?: WritingToken,
): Promise<readonly number[]> {
  const { user_id, created_at } = each
  const activities = new Map<number, number>()
  const ids: number[] = []
  for (const { id: episode_id, work_id, opinion } of episodes) {
    const record_id = await insertRecord(tx, { ...each, ...opinion, work_id, episode_id })
    const activity_id =
      activities.get(work_id) ??
      (await insertActivity(tx, {
        user_id,
        work_id,
        action: 'create_multiple_records',
        created_at,
        ...writer,
      }))
    activities.set(work_id, activity_id)
    await tx.insertInto('activity_records').values({ activity_id, record_id }).execute()
    ids.push(record_id)
  }
  return ids
}

interface RecordedEpisode {
  readonly id: number
  readonly work_id: number
  /** Instead of that which all records share. */
  readonly opinion?: Pick<NewRecord, 'comment' | keyof KeptOpinion>
}

export type SharedColumns = Omit<NewRecord, 'work_id' | 'episode_id'>

/** Without an activity, in the current lap (D63). Returns its id. */
export async function insertRecord(tx: Tx, row: NewRecord): Promise<number> {
  const [made] = await insert(tx, { private: null, score: null, ...row })
  return made?.id ?? 0
}

const insert = prepared(
  (tx: Tx, slot: SlotOf<NewRecord & { private: number | null; score: number | null }>) =>
    tx
      .insertInto('records')
      .values({
        user_id: slot('user_id'),
        work_id: slot('work_id'),
        episode_id: slot('episode_id'),
        comment: slot('comment'),
        rating: slot('rating'),
        rating_state: slot('rating_state'),
        score: slot('score'),
        share_twitter: slot('share_twitter'),
        share_facebook: slot('share_facebook'),
        watched_at: slot('watched_at'),
        watched_at_precision: slot('watched_at_precision'),
        created_at: slot('created_at'),
        private: privateOr(slot('private'), slot('user_id')),
        lap: currentLap(slot('user_id'), slot('work_id')),
      })
      .returning('id'),
)
