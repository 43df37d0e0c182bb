import type { Config } from '../config'
import type { Session } from './sign-in/session'

/** `decide`: also merge, split, hide, and undo or accept what others changed or suggested. */
export type EditingRight = 'decide' | 'edit' | 'suggest'

/** What somebody may do with the catalogue (D93); undefined: nothing. */
export function editingRight(
  { catalogueEdits }: Pick<Config, 'catalogueEdits'>,
  who: Pick<Session, 'isAdmin' | 'isEditor'> | undefined,
): EditingRight | undefined {
  if (who === undefined) return undefined
  if (decidesEdits(who)) return 'decide'
  if (catalogueEdits === 'everyone') return 'edit'
  return catalogueEdits === 'propose' ? 'suggest' : undefined
}

export const decidesEdits = ({ isAdmin, isEditor }: Pick<Session, 'isAdmin' | 'isEditor'>): boolean =>
  isAdmin || isEditor
