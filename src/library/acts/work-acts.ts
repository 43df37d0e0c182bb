import { internalError } from '../../http/errors'
import type { StatusKind } from '../statuses'
import type { Act, ActDeps } from './act'

/** Dates may be partial (D71); undefined leaves one, null clears it. */
export function chooseStatus(
  _deps: ActDeps,
  _userId: number,
  _input: {
    readonly workId: number
    readonly kind: StatusKind | 'no_select'
    readonly startedOn?: string | null
    readonly finishedOn?: string | null
  },
): Promise<Act> {
  throw internalError()
}

/** Watching again (D63): the status becomes watching. Throws invalid_params if the current lap has no record. */
export function startLap(_deps: ActDeps, _userId: number, _input: { readonly workId: number }): Promise<Act> {
  throw internalError()
}

/** "+1" (D62): `episodeId` of the act is the episode to record next. */
export function addNextEpisode(
  _deps: ActDeps,
  _userId: number,
  _input: { readonly workId: number },
): Promise<Act> {
  throw internalError()
}

/** Private; a blank text deletes the note. */
export function writeNote(
  _deps: ActDeps,
  _userId: number,
  _input: { readonly workId: number; readonly text: string },
): Promise<Act> {
  throw internalError()
}
