import type { RatingState } from '../../library/ratings'
import type { StatusKind } from '../../library/statuses'
import type { Precision } from '../../library/watched'

/** Records the changes of an applied row in order, for undo. Called in the same transaction as the change. */
export interface ChangeSink {
  /** All rows with ids from `first` to `last`; records and reviews have version 1. */
  inserted(table: InsertedTable, workId: number, first: number, last: number): void
  /** `before` is null if there was no status, and `none` if there never was one. */
  statusChanged(workId: number, before: StatusRow | null | 'none', after: StatusRow): void
  /** `before` is null if there was no note. */
  noteChanged(workId: number, before: NoteRow | null, after: NoteRow): void
  reviewChanged(workId: number, id: number, before: ReviewRow, after: ReviewRow): void
}

export type InsertedTable = 'episodes' | 'laps' | 'records' | 'reviews' | 'skips'

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

/** The columns of `reviews` that an import changes, and the version. */
export interface ReviewRow {
  readonly body: string
  readonly rating_overall_state: RatingState | null
  readonly watched_at: number | null
  readonly watched_at_precision: Precision | null
  readonly modified_at: number | null
  readonly version: number
}
