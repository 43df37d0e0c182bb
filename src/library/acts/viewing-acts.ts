import { internalError } from '../../http/errors'
import type { RatingState } from '../ratings'
import type { WatchedColumns } from '../watched'
import type { Act, ActDeps } from './act'

interface ViewingInput {
  readonly ratingState?: RatingState | null
  readonly watched?: WatchedColumns
  readonly body?: string
}

/** D60. A work with no status, or one that is wanted or being watched, becomes watched. */
export function logViewing(
  _deps: ActDeps,
  _userId: number,
  _input: ViewingInput & { readonly workId: number },
): Promise<Act> {
  throw internalError()
}

/** Undefined leaves a value; null clears the rating, '' the body. */
export function editViewing(
  _deps: ActDeps,
  _userId: number,
  _input: ViewingInput & { readonly reviewId: number },
): Promise<Act> {
  throw internalError()
}

export function deleteViewing(
  _deps: ActDeps,
  _userId: number,
  _input: { readonly reviewId: number },
): Promise<Act> {
  throw internalError()
}
