import type { Read } from '../../db/open'
import { createLists } from './create-lists'
import type { ImportDeps } from './list-import'
import type { Lists } from './lists'

const made = new WeakMap<Read, Lists>()

/** The application's single `Lists`, by its database. */
export function listsOf(deps: ImportDeps): Lists {
  const lists = made.get(deps.read) ?? createLists(deps)
  made.set(deps.read, lists)
  return lists
}
