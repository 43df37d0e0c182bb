import type { RatingState } from '../library/ratings'
import type { StatusKind } from '../library/statuses'
import type { Precision } from '../library/watched'

/** What one line of somebody's list says about one work, as its source means it. */
export interface Row {
  /** Empty where the source names its entries by nothing. */
  readonly sourceId: string
  readonly title: string
  /** The best first. */
  readonly refs: readonly WorkRef[]
  readonly year?: number | undefined
  readonly media?: Media | undefined
  readonly status?: StatusKind | undefined
  /** So many episodes from the first on; `all` where the source says that nothing is left. */
  readonly progress?: number | 'all' | undefined
  /** Numbers of single episodes, where the source tells them instead of a progress. */
  readonly watched?: readonly number[] | undefined
  /** How many episodes the source believes there are. */
  readonly total?: number | undefined
  readonly score?: Score | undefined
  readonly rating?: RatingState | undefined
  readonly startedOn?: PartialDate | undefined
  readonly finishedOn?: PartialDate | undefined
  /** Times after the first. */
  readonly rewatches?: number | undefined
  readonly note?: string | undefined
  readonly isPrivate?: boolean | undefined
  /** Epoch milliseconds. */
  readonly updatedAt?: number | undefined
  readonly plays?: readonly Play[] | undefined
  readonly own?: OwnEntry | undefined
  /** Who did it, of a file of everybody on a server. */
  readonly user?: string | undefined
  /** Finished, with some of its episodes ticked: those who tick none of the rest may have seen all. */
  readonly mayBeComplete?: boolean | undefined
  readonly skipped?: SkipReason | undefined
  /** The source lists other things too: without a match it is skipped as no anime. */
  readonly mayBeOther?: boolean | undefined
  /** A field that could not be read, and the rule it breaks, in English. */
  readonly error?: string | undefined
}

/** A work by its id at a site, or a series there with the number of a season. */
export interface WorkRef {
  readonly site: 'work' | 'annict' | 'mal' | 'anilist' | 'anidb' | 'bangumi' | 'tmdb' | 'tvdb'
  /** At TMDB with its kind: `movie/372058`, `tv/209867`. */
  readonly id: string
  readonly season?: number | undefined
}

export interface Play {
  readonly season?: number | undefined
  readonly episode: number
  readonly watchedAt?: Moment | undefined
  readonly rating?: RatingState | undefined
  readonly comment?: string | undefined
  readonly own?: OwnPlay | undefined
}

/** What kiroku's own file alone says of a work. `rating` and `note` of the row are those of the newest review. */
export interface OwnEntry {
  /** Oldest first. */
  readonly reviews: readonly OwnReview[]
  /** Those after the first (D63). */
  readonly laps: readonly { readonly number: number; readonly startedAt: number }[]
  readonly skips: readonly OwnSkip[]
  readonly note?: { readonly text: string; readonly updatedAt: number } | undefined
}

/** Times are epoch milliseconds. */
export interface OwnReview {
  readonly body: string
  readonly ratings: Readonly<Record<RatedPart, RatingState | undefined>>
  /** Both of a viewing; `watchedAt` is not known for the precision `none` (D60, D61). */
  readonly precision?: Precision | undefined
  readonly watchedAt?: number | undefined
  readonly createdAt?: number | undefined
  readonly modifiedAt?: number | undefined
  readonly shares?: OwnShares | undefined
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

/** What kiroku's own file alone says of a record. */
export interface OwnPlay {
  readonly lap: number
  /** Of `watchedAt`, which for `day` is noon in the person's zone. */
  readonly precision: Precision
  /** Where `episode` says too little of it. */
  readonly listed?: ListedEpisode | undefined
  /** Deprecated: from 0 to 5 (D33). */
  readonly points?: number | undefined
  readonly isModified?: true | undefined
  readonly shares?: OwnShares | undefined
  /** Epoch milliseconds; where it is not `watchedAt`. */
  readonly createdAt?: number | undefined
}

/** How kiroku knew an episode, for one whose number is none or `1.5`: there `episode` is its place in the list. */
export interface ListedEpisode {
  readonly number: string | null
  readonly sortNumber: number
}

/** Epoch milliseconds; or a time of day without a zone, `2024-05-01T21:00:00`, or a day, `2024-05-01`. */
export type Moment = number | string

/** `2016`, `2016-03` or `2016-03-05`. */
export type PartialDate = string

/** `scale` is the largest value; undefined where the file does not say. */
export interface Score {
  readonly value: number
  readonly scale?: 3 | 5 | 10 | 100 | undefined
}

export type Media = 'tv' | 'ova' | 'movie' | 'web' | 'other'

export type SkipReason =
  | 'not_anime'
  | 'private'
  | 'duplicate_in_file'
  | 'list'
  | 'nothing_to_import'
  | 'no_counterpart_status'
  | 'played_too_little'
  | 'other_user'
