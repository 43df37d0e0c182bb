import type { RatingState } from '../../library/ratings'
import type { StatusKind } from '../../library/statuses'
import type { Media, PartialDate } from '../row'

export interface Entry {
  readonly workId: number
  readonly title: string
  readonly media: Media
  readonly year: number | null
  readonly malId: string
  /** Null: records or reviews alone. */
  readonly status: StatusKind | null
  /** Epoch milliseconds; when the status was set. */
  readonly changedAt: number | null
  /** Different episodes with a record, out of `total` known ones. */
  readonly progress: number
  readonly total: number
  /** Times after the first. */
  readonly rewatches: number
  readonly rating: RatingState | null
  readonly note: string
  readonly startedOn: PartialDate | null
  /** Of a watched work alone. */
  readonly finishedOn: PartialDate | null
}

/** Worst first, of ten. */
export const tenPoints: Readonly<Record<RatingState, number>> = { bad: 3, average: 6, good: 8, great: 10 }
