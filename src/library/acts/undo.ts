import { internalError } from '../../http/errors'
import type { ActDeps, UndoneAct } from './act'

/** Restores what the act changed. Throws not_found, and `UndoRefused` where that would lose something. */
export function undo(
  _deps: ActDeps,
  _userId: number,
  _input: { readonly actId: number },
): Promise<UndoneAct> {
  throw internalError()
}
