import type { RatingState } from '../../library/ratings'
import type { StatusKind } from '../../library/statuses'
import type { Precision } from '../../library/watched'
import type { CheckReason, MatchWay } from '../match/match'
import type { PartialDate, SkipReason } from '../row'

/** imports.md §1. */
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
  /** How many records it adds. */
  readonly added: number
  readonly growsTo: number | null
  readonly rating: RatingState | null
  readonly reviewBody: string
  readonly startedOn: PartialDate | null
  readonly finishedOn: PartialDate | null
  readonly rewatches: number
  /** The file's plays that have a time, a rating or a comment of their own; at most 100. */
  readonly records: readonly ShownRecord[]
  /** What the user has here now. */
  readonly here: {
    readonly status: StatusKind | null
    readonly episodes: number
    readonly rating: RatingState | null
    readonly reviewBody: string
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

/** What is to be written for a row; empty where nothing is. */
export interface Writes {
  readonly workId: number
  /** The number of the last episode that must be added to a list that may grow. */
  readonly growsTo: number | null
  readonly records: readonly NewImportedRecord[]
  readonly status: ImportedStatus | null
  readonly review: ImportedReview | null
}

/** A record of the episode at place `index` (from 0) of the shown episodes by sort_number, then id. */
export interface NewImportedRecord {
  readonly index: number
  readonly lap: number
  readonly watchedAt: number
  readonly precision: Precision
  readonly createdAt: number
  readonly ratingState: RatingState | null
  readonly comment: string
}

/** Undefined leaves what is there. */
export interface ImportedStatus {
  readonly kind: StatusKind
  readonly changedAt: number
  readonly startedOn?: PartialDate | undefined
  readonly finishedOn?: PartialDate | undefined
  readonly rewatches?: number | undefined
}

/** `id`: of the review that is changed; null makes one. Without episodes it is a viewing if `watchedAt` is there (D60). */
export interface ImportedReview {
  readonly id: number | null
  readonly body: string
  readonly ratingState: RatingState | null
  readonly watchedAt: number | null
  readonly precision: Precision | null
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
  /** An IANA name. */
  readonly timeZone: string
  readonly includesPrivate: boolean
}

export const scoreFormats = ['POINT_3', 'POINT_5', 'POINT_10', 'POINT_100'] as const
export type ScoreFormat = (typeof scoreFormats)[number]

export const conflictPolicies = ['keep', 'file', 'newer'] as const
export type ConflictPolicy = (typeof conflictPolicies)[number]
