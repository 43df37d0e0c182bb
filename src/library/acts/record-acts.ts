import { internalError } from '../../http/errors'
import type { RatingState } from '../ratings'
import type { WatchedColumns } from '../watched'
import type { Act, ActDeps } from './act'

/** Always a new record, in the current lap (D63). */
export function recordEpisode(
  _deps: ActDeps,
  _userId: number,
  _input: {
    readonly episodeId: number
    readonly comment?: string
    readonly ratingState?: RatingState | null
    readonly watched?: WatchedColumns
  },
): Promise<Act> {
  throw internalError()
}

/** Every shown episode up to this one that has no record and no skip in the current lap. Throws invalid_params for none. */
export function recordUpTo(
  _deps: ActDeps,
  _userId: number,
  _input: { readonly episodeId: number; readonly watched?: WatchedColumns },
): Promise<Act> {
  throw internalError()
}

/** "Next" passes over it in the current lap; it is not watched. */
export function skipEpisode(
  _deps: ActDeps,
  _userId: number,
  _input: { readonly episodeId: number },
): Promise<Act> {
  throw internalError()
}
