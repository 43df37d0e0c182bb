import { internalError } from '../../http/errors'
import type { RatingState } from '../ratings'
import type { WatchedColumns } from '../watched'
import type { Act, ActDeps } from './act'

/** Undefined leaves a value; null clears the rating, '' the comment. */
export function editRecord(
  _deps: ActDeps,
  _userId: number,
  _input: {
    readonly recordId: number
    readonly comment?: string
    readonly ratingState?: RatingState | null
    readonly watched?: WatchedColumns
  },
): Promise<Act> {
  throw internalError()
}

export function deleteRecord(
  _deps: ActDeps,
  _userId: number,
  _input: { readonly recordId: number },
): Promise<Act> {
  throw internalError()
}
