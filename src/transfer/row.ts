import type { Media } from '../catalogue/default/sources'
import type { RatingState } from '../library/ratings'
import type { StatusKind } from '../library/statuses'
import type { Precision } from '../library/watched'
import type { Visibility } from '../social/lists/write-list'

/** What one line of a list says about one work, in its source's sense. */
export interface ListRow {
  /** '' if the source has no ids of entries. */
  readonly sourceId: string
  readonly title: string
  /** Best first. */
  readonly refs: readonly WorkRef[]
  readonly year?: number | undefined
  readonly media?: Media | undefined
  readonly status?: StatusKind | undefined
  /** The number of episodes watched from the first on; `all` if the source says that none is left. */
  readonly progress?: number | 'all' | undefined
  /** Numbers of individual episodes, if the source has them instead of progress. */
  readonly watched?: readonly number[] | undefined
  /** How many episodes there are according to the source. */
  readonly total?: number | undefined
  readonly score?: Score | undefined
  readonly rating?: RatingState | undefined
  readonly startedOn?: PartialDate | undefined
  readonly finishedOn?: PartialDate | undefined
  /** Times after the first. */
  readonly rewatches?: number | undefined
  readonly note?: string | undefined
  /** Only its user sees it where it is from: so will it be here (D72). */
  readonly isPrivate?: boolean | undefined
  /** Epoch milliseconds. */
  readonly updatedAt?: number | undefined
  readonly plays?: readonly Play[] | undefined
  /** The source's lists with this work, and its favorites. */
  readonly lists?: readonly ListPlace[] | undefined
  readonly own?: OwnEntry | undefined
  /** Whose entry it is, in a file of all users of a server. */
  readonly user?: string | undefined
  /** Finished with only some of its episodes ticked: the user may have watched all. */
  readonly mayBeComplete?: boolean | undefined
  readonly skipped?: SkipReason | undefined
  /** The source also lists other things: without a match the row is skipped as not anime. */
  readonly mayBeOther?: boolean | undefined
  /** A field that could not be read and the rule it breaks, in English. */
  readonly error?: string | undefined
}

/** The name of a source's favorites, which are no list here. */
export const favorites = ''

/** A work in a list of the source, or among its favorites. */
export interface ListPlace {
  /** As `listName` gives it, or `favorites`. */
  readonly name: string
  /** From 1; in the order of the file without it. */
  readonly place?: number | undefined
  readonly note?: string | undefined
  /** Epoch milliseconds. */
  readonly addedAt?: number | undefined
}

/** A list as the file has it, even without works. */
export interface SaidList {
  readonly name: string
  readonly text?: string | undefined
  readonly isOrdered?: boolean | undefined
  /** Only kiroku's own file says; others come as private ones (D88). */
  readonly visibility?: Visibility | undefined
  /** Epoch milliseconds. */
  readonly createdAt?: number | undefined
}

/** A work by its id at a site, or a series there and a season number. */
export interface WorkRef {
  readonly site: 'work' | 'annict' | 'mal' | 'anilist' | 'anidb' | 'bangumi' | 'tmdb' | 'tvdb'
  /** At TMDB including its kind: `movie/372058`, `tv/209867`. */
  readonly id: string
  readonly season?: number | undefined
}

export interface Play {
  readonly season?: number | undefined
  readonly episode: number
  readonly watchedAt?: Moment | undefined
  readonly rating?: RatingState | undefined
  /** From 1 to 100 (D87). */
  readonly score?: number | undefined
  readonly comment?: string | undefined
  readonly own?: OwnPlay | undefined
}

/** What only kiroku's own file says about a work. The row's `rating`, `score` and `note` are from the newest review. */
export interface OwnEntry {
  /** Oldest first. */
  readonly reviews: readonly OwnReview[]
  /** Laps after the first (D63). */
  readonly laps: readonly { readonly number: number; readonly startedAt: number }[]
  readonly skips: readonly OwnSkip[]
  readonly note?: { readonly text: string; readonly updatedAt: number } | undefined
  /** Of the status; undefined in files that do not say. */
  readonly isPrivate?: boolean | undefined
}

/** Times are epoch milliseconds. */
export interface OwnReview {
  readonly body: string
  readonly ratings: Readonly<Record<RatedPart, RatingState | undefined>>
  /** From 1 to 100 (D87). */
  readonly score?: number | undefined
  /** Both only for viewings; `watchedAt` is undefined for the precision `none` (D60, D61). */
  readonly precision?: Precision | undefined
  readonly watchedAt?: number | undefined
  readonly createdAt?: number | undefined
  readonly modifiedAt?: number | undefined
  readonly shares?: OwnShares | undefined
  /** Undefined in files that do not say. */
  readonly isPrivate?: boolean | undefined
}

/** Flags that clients set (D41). */
export interface OwnShares {
  readonly twitter: boolean
  readonly facebook: boolean
}

export type RatedPart = 'overall' | 'animation' | 'music' | 'story' | 'character'

export interface OwnSkip {
  readonly episode: number
  readonly listed?: ListedEpisode | undefined
  readonly lap: number
  readonly skippedAt: number
}

/** What only kiroku's own file says about a record. */
export interface OwnPlay {
  readonly lap: number
  /** How exact `watchedAt` is, which for `day` is noon in the user's zone. */
  readonly precision: Precision
  /** Set if `episode` alone is ambiguous. */
  readonly listed?: ListedEpisode | undefined
  /** Deprecated: from 0 to 5 (D33). */
  readonly points?: number | undefined
  readonly isModified?: true | undefined
  readonly shares?: OwnShares | undefined
  /** Undefined in files that do not say. */
  readonly isPrivate?: boolean | undefined
  /** Epoch milliseconds; undefined if it equals `watchedAt`. */
  readonly createdAt?: number | undefined
}

/**
 * kiroku's own data of an episode without a number, or with one such as `1.5`: `episode` is then its position in the
 * list.
 */
export interface ListedEpisode {
  readonly number: string | null
  readonly sortNumber: number
}

/** Epoch milliseconds, a time without a zone, `2024-05-01T21:00:00`, or a day, `2024-05-01`. */
export type Moment = number | string

/** `2016`, `2016-03` or `2016-03-05`. */
export type PartialDate = string

/** `scale` is the highest possible value; undefined if the file does not say. */
export interface Score {
  readonly value: number
  readonly scale?: 3 | 5 | 10 | 100 | undefined
}

export type SkipReason =
  | 'not_anime'
  | 'private'
  | 'duplicate_in_file'
  | 'list'
  | 'nothing_to_import'
  | 'no_counterpart_status'
  | 'played_too_little'
  | 'other_user'
