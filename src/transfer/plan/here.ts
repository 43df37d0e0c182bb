import type { Precision } from '../../library/watched'
import type { NoteRow, ReviewRow, StatusRow } from './change-sink'

/** What a user has of one work, and what the catalogue knows of it. */
export interface Here {
  readonly workId: number
  /** A film, or another work that is recorded as a viewing (D60). */
  readonly isViewed: boolean
  /** Its list of episodes may get longer (D62). */
  readonly mayGrow: boolean
  /** Nobody need have listed its episodes for that. */
  readonly hasKnownLength: boolean
  /** The shown ones, by sort_number, then id. */
  readonly episodes: readonly EpisodeHere[]
  /** The current one (D63). */
  readonly lap: number
  readonly status: StatusRow | null
  readonly reviews: readonly ReviewHere[]
  readonly note: NoteRow | null
}

export interface EpisodeHere {
  /** Negative: it is only planned. */
  readonly id: number
  /** Null where it is no whole number. */
  readonly number: number | null
  readonly sortNumber: number
  readonly records: readonly RecordHere[]
  /** Laps in which it is skipped. */
  readonly skips: readonly number[]
}

export interface RecordHere {
  readonly watchedAt: number
  readonly precision: Precision
  readonly lap: number
  readonly isCommented: boolean
}

export interface ReviewHere extends ReviewRow {
  /** Negative: it is only planned. */
  readonly id: number
  readonly created_at: number
}
