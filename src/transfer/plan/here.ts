import type { RatingState } from '../../library/ratings'
import type { StatusKind } from '../../library/statuses'
import type { Precision } from '../../library/watched'

/** What a user has for one work, and what the catalogue knows about it. */
export interface Here {
  readonly workId: number
  /** A film, or another work recorded as a viewing (D60). */
  readonly isViewed: boolean
  /** Its list of episodes may grow (D62). */
  readonly mayGrow: boolean
  /** The number of episodes is known, even if no source lists them. */
  readonly hasKnownLength: boolean
  /** Only shown ones, by sort_number, then id. */
  readonly episodes: readonly EpisodeHere[]
  /** The current one (D63). */
  readonly lap: number
  readonly status: StatusRow | null
  readonly reviews: readonly ReviewHere[]
  readonly note: NoteRow | null
}

export interface EpisodeHere {
  /** Negative if it is only planned. */
  readonly id: number
  /** Null unless it is a whole number. */
  readonly number: number | null
  readonly sortNumber: number
  readonly records: readonly RecordHere[]
  /** Laps in which the episode is skipped. */
  readonly skips: readonly number[]
}

export interface RecordHere {
  readonly watchedAt: number
  readonly precision: Precision
  readonly lap: number
  readonly isCommented: boolean
}

export interface StatusRow {
  readonly kind: StatusKind
  readonly changed_at: number
  readonly started_on: string | null
  readonly finished_on: string | null
  readonly rewatches: number | null
}

export interface NoteRow {
  readonly text: string
  readonly updated_at: number
}

/** The columns of `reviews` that an import changes. */
export interface ReviewColumns {
  readonly body: string
  readonly rating_overall_state: RatingState | null
  readonly score: number | null
  readonly watched_at: number | null
  readonly watched_at_precision: Precision | null
  readonly modified_at: number | null
}

export interface ReviewHere extends ReviewColumns {
  /** Negative if it is only planned. */
  readonly id: number
  readonly created_at: number
}
