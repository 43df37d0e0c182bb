import type { RatingState } from '../../library/ratings'
import type { StatusKind } from '../../library/statuses'
import type { Precision } from '../../library/watched'
import type { CheckReason, MatchWay } from '../match/match'
import type { OwnReview, OwnShares, PartialDate, SkipReason } from '../row'
import type { NoteRow, StatusRow } from './change-sink'

export const rowStates = ['new', 'unchanged', 'conflict', 'check', 'not_found', 'skipped', 'error'] as const
export type RowState = (typeof rowStates)[number]

/** Of an error, the field that could not be read. */
export type RowReason = CheckReason | SkipReason | 'chosen' | (string & {})

/** What a preview and a report show of a row. */
export interface ShownRow {
  readonly matchedBy: MatchWay | null
  readonly status: StatusKind | null
  /** Episodes of the work with a record of this user afterwards. */
  readonly episodes: number
  readonly added: number
  readonly skips: number
  readonly growsTo: number | null
  readonly rating: RatingState | null
  /** It has a score whose scale must be asked; `rating` is null then. */
  readonly hasUnknownScale: boolean
  readonly reviewBody: string
  readonly hasPrivateNote: boolean
  readonly startedOn: PartialDate | null
  readonly finishedOn: PartialDate | null
  readonly rewatches: number
  /** The file's plays that have a time, a rating or a comment of their own; at most 100. */
  readonly records: readonly ShownRecord[]
  readonly here: {
    readonly status: StatusKind | null
    readonly episodes: number
    readonly rating: RatingState | null
    readonly reviewBody: string
    readonly hasPrivateNote: boolean
  }
  readonly proposals: readonly number[]
  /** Of the file and of the catalogue, where they differ. */
  readonly fileTotal: number | null
  readonly catalogueTotal: number | null
  /** Warnings: a field of the row that was left out, in English. */
  readonly warnings: readonly string[]
}

/** `watchedAt` is epoch milliseconds; null where it is unknown. */
export interface ShownRecord {
  readonly episode: number
  readonly watchedAt: number | null
  readonly precision: Precision
  readonly lap: number
  readonly ratingState: RatingState | null
  readonly comment: string
}

/** What is to be written for a row, in this order; empty where nothing is. */
export interface Writes {
  readonly workId: number
  /** How many shown episodes the work must have, where its list grows (D62). */
  readonly growsTo: number | null
  /** Ids of the episodes that are shown now, by sort_number, then id; grown ones follow them. */
  readonly episodes: readonly number[]
  readonly laps: readonly NewImportedLap[]
  readonly records: readonly NewImportedRecord[]
  readonly skips: readonly NewImportedSkip[]
  readonly status: StatusRow | null
  readonly reviews: readonly ImportedReview[]
  readonly note: NoteRow | null
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

/** `index`: of the episode, in `episodes` and the grown ones after them. */
export interface NewImportedRecord {
  readonly index: number
  readonly lap: number
  readonly watchedAt: number
  readonly precision: Precision
  readonly createdAt: number
  readonly ratingState: RatingState | null
  readonly comment: string
  readonly isModified: boolean
  readonly shares?: OwnShares | undefined
  /** Deprecated: from 0 to 5 (D33). */
  readonly points: number | null
}

/** As it will be. `id`: of the review that is changed; null makes one. With `watchedAt` it is a viewing (D60). */
export interface ImportedReview {
  readonly id: number | null
  readonly body: string
  readonly ratingState: RatingState | null
  readonly watchedAt: number | null
  readonly precision: Precision | null
  /** Of a new one, what kiroku's own file says besides. */
  readonly own?: OwnReview | undefined
}

/** What a row comes to: its state, what a page shows, and what applying writes. */
export interface PlannedRow {
  readonly state: RowState
  readonly reason: RowReason | null
  readonly shown: ShownRow
  /** Null for the states that are not applied; of `check`, what accepting it writes. */
  readonly writes: Writes | null
}

/** What a person chose for a whole import. */
export interface ImportOptions {
  readonly conflict: ConflictPolicy
  readonly scoreFormat: ScoreFormat | null
  readonly timeZone: string
  readonly includesPrivate: boolean
  /** Of a file of several people, the one whose entries count; null: it is asked, or the file is of one person. */
  readonly user: string | null
  /** Works that were finished with some of their episodes were watched to the end. */
  readonly completesWatched: boolean
}

export const scoreFormats = ['POINT_3', 'POINT_5', 'POINT_10', 'POINT_100'] as const
export type ScoreFormat = (typeof scoreFormats)[number]

export const conflictPolicies = ['keep', 'file', 'newer'] as const
export type ConflictPolicy = (typeof conflictPolicies)[number]
