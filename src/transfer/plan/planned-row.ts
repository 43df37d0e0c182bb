import type { RatingState } from '../../library/ratings'
import type { StatusKind } from '../../library/statuses'
import type { Precision } from '../../library/watched'
import type { CheckReason, MatchWay } from '../match/match'
import type { ListPlace, OwnReview, OwnShares, PartialDate, SkipReason } from '../row'
import type { NoteRow, StatusRow } from './here'

export const rowStates = ['new', 'unchanged', 'conflict', 'check', 'not_found', 'skipped', 'error'] as const
export type RowState = (typeof rowStates)[number]

/** Of an error, the field that could not be read. */
export type RowReason = CheckReason | SkipReason | 'chosen' | (string & {})

/** What previews and reports show of a row. */
export interface ShownRow {
  readonly matchedBy: MatchWay | null
  readonly status: StatusKind | null
  /** How many episodes of the work will have a record of this user. */
  readonly episodes: number
  readonly added: number
  /** Applying the row changes anything: one that differs need not, as what is here may be kept. */
  readonly changes: boolean
  readonly skips: number
  readonly growsTo: number | null
  readonly rating: RatingState | null
  /** From 1 to 100 (D87). */
  readonly score: number | null
  /** Has a score whose scale must be asked for; `rating` is then null. */
  readonly hasUnknownScale: boolean
  readonly reviewBody: string
  readonly hasPrivateNote: boolean
  readonly startedOn: PartialDate | null
  readonly finishedOn: PartialDate | null
  readonly rewatches: number
  /** Where the file has it in lists and among the favorites. */
  readonly lists: readonly ListPlace[]
  /** How many lists gain the work. */
  readonly listed: number
  /** The file's plays that have their own time, rating or comment; at most 100. */
  readonly records: readonly ShownRecord[]
  readonly here: {
    readonly status: StatusKind | null
    readonly episodes: number
    readonly rating: RatingState | null
    readonly score: number | null
    readonly reviewBody: string
    readonly hasPrivateNote: boolean
  }
  readonly proposals: readonly number[]
  /** Totals of the file and of the catalogue, if they differ. */
  readonly fileTotal: number | null
  readonly catalogueTotal: number | null
  /** Warnings, in English, about fields of the row that were left out. */
  readonly warnings: readonly string[]
}

/** `watchedAt` is in epoch milliseconds; null if unknown. */
export interface ShownRecord {
  readonly episode: number
  readonly watchedAt: number | null
  readonly precision: Precision
  readonly lap: number
  readonly ratingState: RatingState | null
  readonly comment: string
}

/** What to write for a row, in this order; empty if nothing. */
export interface Writes {
  readonly workId: number
  /** How many shown episodes the work must have, if its list grows (D62). */
  readonly growsTo: number | null
  /** Ids of the currently shown episodes, by sort_number, then id; added ones follow them. */
  readonly episodes: readonly number[]
  readonly laps: readonly NewImportedLap[]
  readonly records: readonly NewImportedRecord[]
  readonly skips: readonly NewImportedSkip[]
  readonly status: StatusRow | null
  readonly reviews: readonly ImportedReview[]
  readonly note: NoteRow | null
  /** Everything new of it is seen by its user only. */
  readonly isPrivate: boolean
  /** The same of a new status; undefined as its user prefers (D72). */
  readonly isStatusPrivate: boolean | undefined
}

export interface NewImportedLap {
  readonly number: number
  readonly startedAt: number
}

export interface NewImportedSkip {
  readonly index: number
  readonly lap: number
  readonly skippedAt: number
}

/** `index` is the episode's, in `episodes` followed by the added ones. */
export interface NewImportedRecord {
  readonly index: number
  readonly lap: number
  readonly watchedAt: number
  readonly precision: Precision
  readonly createdAt: number
  readonly ratingState: RatingState | null
  /** From 1 to 100 (D87). */
  readonly score: number | null
  readonly comment: string
  readonly isModified: boolean
  readonly shares?: OwnShares | undefined
  /** Undefined as its user prefers. */
  readonly isPrivate?: boolean | undefined
  /** Deprecated: from 0 to 5 (D33). */
  readonly points: number | null
}

/** The state after the change. `id`: the review to change; null creates one. With `watchedAt` it is a viewing (D60). */
export interface ImportedReview {
  readonly id: number | null
  readonly body: string
  readonly ratingState: RatingState | null
  readonly score: number | null
  readonly watchedAt: number | null
  readonly precision: Precision | null
  /** For a new one, what else kiroku's own file says. */
  readonly own?: OwnReview | undefined
}

/** The result of planning a row: its state, what a page shows, and what applying writes. */
export interface PlannedRow {
  readonly state: RowState
  readonly reason: RowReason | null
  readonly shown: ShownRow
  /** Null for states that are not applied; for `check`, what accepting writes. */
  readonly writes: Writes | null
}

/** What the user chose for a whole import. */
export interface ImportOptions {
  readonly conflict: ConflictPolicy
  readonly scoreFormat: ScoreFormat | null
  readonly timeZone: string
  readonly includesPrivate: boolean
  /** Only the user sees what it writes (D72). */
  readonly isAllPrivate: boolean
  /** Whose entries to use if the file has several users; null if that is an open question or the file has one user. */
  readonly user: string | null
  /** Works finished with only some episodes watched were watched to the end. */
  readonly completesWatched: boolean
  /** Names of lists that stay out; `favorites` for the favorites. */
  readonly leavesOut: readonly string[]
}

export const scoreFormats = ['POINT_3', 'POINT_5', 'POINT_10', 'POINT_100'] as const
export type ScoreFormat = (typeof scoreFormats)[number]

export const conflictPolicies = ['keep', 'file', 'newer'] as const
export type ConflictPolicy = (typeof conflictPolicies)[number]
