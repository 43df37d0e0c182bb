import type { Media } from '../../catalogue/default/sources'
import type { RatingState } from '../../library/ratings'
import type { StatusKind } from '../../library/statuses'
import type { PartialDate } from '../row'

export interface Entry {
  readonly workId: number
  readonly title: string
  readonly media: Media
  readonly year: number | null
  readonly malId: string
  /** Null if there are only records or reviews. */
  readonly status: StatusKind | null
  /** When the status was set, in epoch milliseconds. */
  readonly changedAt: number | null
  /** Different episodes with a record; `total` is how many are known. */
  readonly progress: number
  readonly total: number
  /** Times after the first. */
  readonly rewatches: number
  readonly rating: RatingState | null
  /** From 1 to 100 (D87). */
  readonly score: number | null
  readonly note: string
  readonly startedOn: PartialDate | null
  /** Of a work that is not watched, only if the user has set it. */
  readonly finishedOn: PartialDate | null
}

type Rated = Pick<Entry, 'rating' | 'score'>

/** Out of ten in steps of a tenth; null without a rating. */
export const tenthsOf = ({ rating, score }: Rated): number | null => {
  if (score !== null) return score / 10
  return rating === null ? null : tenPoints[rating]
}

/** Out of ten as a whole number, at least 1; null without a rating. */
export function wholeTenOf(entry: Rated): number | null {
  const tenths = tenthsOf(entry)
  return tenths === null ? null : Math.max(1, Math.round(tenths))
}

/** Of a word alone, out of ten. */
const tenPoints: Readonly<Record<RatingState, number>> = { bad: 3, average: 6, good: 8, great: 10 }
