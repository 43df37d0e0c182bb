import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import { privateOr } from '../../library/flags'
import type { RatingState } from '../../library/ratings'
import { nextActivity } from '../../library/statuses'
import type { NoteRow, ReviewColumns, StatusRow } from './here'

export type Own = { user: number; work: number }

type Cells<T> = { -readonly [Column in keyof T]: T[Column] }

/** `records`: a JSON array of arrays of cells, in column order from episode_id on. */
export const insertRecords = preparedSql<{ id: number }, Own & { records: string }>(
  (slot) => sql`
    insert into records (user_id, work_id, episode_id, lap, watched_at, watched_at_precision, created_at, rating_state,
      comment, is_modified, rating, score, share_twitter, share_facebook, private)
    select ${slot('user')}, ${slot('work')}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
      value ->> 6, value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11,
      ${privateOr(sql`value ->> 12`, slot('user'))}
    from json_each(${slot('records')}) order by key returning id`,
)

/** `skips`: a JSON array of arrays of episode, lap and time. */
export const insertSkips = preparedSql<{ id: number }, { user: number; skips: string }>(
  (slot) => sql`
    insert into skips (user_id, episode_id, lap, created_at)
    select ${slot('user')}, value ->> 0, value ->> 1, value ->> 2 from json_each(${slot('skips')}) order by key
    returning id`,
)

export const insertLap = preparedSql<{ id: number }, Own & { number: number; started: number }>(
  (slot) => sql`
    insert into laps (user_id, work_id, number, started_at)
    values (${slot('user')}, ${slot('work')}, ${slot('number')}, ${slot('started')}) returning id`,
)

/** One that exists keeps its mark. */
export const setStatus = preparedSql<never, Own & Cells<StatusRow> & { mark: number | null }>(
  (slot) => sql`
    insert into statuses (user_id, work_id, kind, changed_at, started_on, finished_on, rewatches, first_activity_id, private)
    values (${slot('user')}, ${slot('work')}, ${slot('kind')}, ${slot('changed_at')}, ${slot('started_on')},
      ${slot('finished_on')}, ${slot('rewatches')}, ${nextActivity}, ${privateOr(slot('mark'), slot('user'))})
    on conflict do update set kind = excluded.kind, changed_at = excluded.changed_at,
      started_on = excluded.started_on, finished_on = excluded.finished_on, rewatches = excluded.rewatches`,
)

export const setNote = preparedSql<never, Own & Cells<NoteRow>>(
  (slot) => sql`
    insert into notes (user_id, work_id, text, updated_at)
    values (${slot('user')}, ${slot('work')}, ${slot('text')}, ${slot('updated_at')})
    on conflict do update set text = excluded.text, updated_at = excluded.updated_at`,
)

type OwnReview = { user: number; id: number }

type ReviewCells = Cells<ReviewColumns>

type NewReviewCells = Own &
  ReviewCells &
  Record<'animation' | 'music' | 'story' | 'character', RatingState | null> &
  Record<'created' | 'twitter' | 'facebook', number> & { mark: number | null }

export const insertReview = preparedSql<{ id: number }, NewReviewCells>(
  (slot) => sql`
    insert into reviews (user_id, work_id, body, rating_overall_state, score, rating_animation_state, rating_music_state,
      rating_story_state, rating_character_state, watched_at, watched_at_precision, created_at, modified_at, share_twitter,
      share_facebook, private)
    values (${slot('user')}, ${slot('work')}, ${slot('body')}, ${slot('rating_overall_state')}, ${slot('score')}, ${slot('animation')},
      ${slot('music')}, ${slot('story')}, ${slot('character')}, ${slot('watched_at')}, ${slot('watched_at_precision')},
      ${slot('created')}, ${slot('modified_at')}, ${slot('twitter')}, ${slot('facebook')},
      ${privateOr(slot('mark'), slot('user'))}) returning id`,
)

export const setReview = preparedSql<never, OwnReview & ReviewCells>(
  (slot) => sql`
    update reviews set body = ${slot('body')}, rating_overall_state = ${slot('rating_overall_state')}, score = ${slot('score')},
      watched_at = ${slot('watched_at')}, watched_at_precision = ${slot('watched_at_precision')},
      modified_at = ${slot('modified_at')}
    where id = ${slot('id')} and user_id = ${slot('user')}`,
)
