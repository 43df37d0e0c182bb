import { prepared, type SlotOf } from '../db/prepared'
import type { Tx } from '../db/write'
import { privateOr } from './flags'
import { insertActivity, type WritingToken } from './new-activity'
import type { Marked } from './new-record'
import type { Precision } from './watched'

/** Booleans are 0 or 1, times epoch milliseconds. */
export type NewReview = {
  user_id: number
  work_id: number
  body: string
  rating_animation_state: string | null
  rating_music_state: string | null
  rating_story_state: string | null
  rating_character_state: string | null
  rating_overall_state: string | null
  share_twitter: number
  share_facebook: number
  /** Both are null for a review that is not a viewing (D60). */
  watched_at: number | null
  watched_at_precision: Precision | null
  created_at: number
  /** From 1 to 100 (D87). */
  score?: number | null
} & Marked

/** Inserts its activity too (D26). Returns its id. */
export async function insertReview(tx: Tx, row: NewReview, writer?: WritingToken): Promise<number> {
  const review_id = await insertQuietReview(tx, row)
  const { user_id, work_id, created_at } = row
  await insertActivity(tx, { user_id, work_id, action: 'create_review', review_id, created_at, ...writer })
  return review_id
}

/** Without an activity. Returns its id. */
export async function insertQuietReview(tx: Tx, row: NewReview): Promise<number> {
  const [made] = await insert(tx, { private: null, score: null, ...row })
  return made?.id ?? 0
}

const insert = prepared(
  (tx: Tx, slot: SlotOf<NewReview & { private: number | null; score: number | null }>) =>
    tx
      .insertInto('reviews')
      .values({
        user_id: slot('user_id'),
        work_id: slot('work_id'),
        body: slot('body'),
        rating_animation_state: slot('rating_animation_state'),
        rating_music_state: slot('rating_music_state'),
        rating_story_state: slot('rating_story_state'),
        rating_character_state: slot('rating_character_state'),
        rating_overall_state: slot('rating_overall_state'),
        score: slot('score'),
        share_twitter: slot('share_twitter'),
        share_facebook: slot('share_facebook'),
        watched_at: slot('watched_at'),
        watched_at_precision: slot('watched_at_precision'),
        created_at: slot('created_at'),
        private: privateOr(slot('private'), slot('user_id')),
      })
      .returning('id'),
)
