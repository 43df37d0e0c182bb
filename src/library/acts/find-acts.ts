import type { Read } from '../../db/open'
import { internalError } from '../../http/errors'
import type { Act, ListedAct } from './act'

/** Throws not_found of somebody else's too. */
export function findAct(_read: Read, _userId: number, _actId: number): Promise<Act> {
  throw internalError()
}

/** Newest first; those before the act `before`. */
export function listActs(
  _read: Read,
  _userId: number,
  _page: { readonly before?: number; readonly limit: number },
): Promise<readonly ListedAct[]> {
  throw internalError()
}
