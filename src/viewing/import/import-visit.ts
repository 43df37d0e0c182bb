import { ApiError } from '../../http/errors'
import type { ListImport } from '../../transfer/batch/list-import'
import type { Lists } from '../../transfer/batch/lists'
import { listsOf } from '../../transfer/batch/lists-of'
import { setFlash } from '../../web/flash'
import { member, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId, type Visit } from '../../web/visit'

export interface ImportVisit extends MemberVisit {
  readonly lists: Lists
}

export const importer = (visit: Visit): ImportVisit => ({ ...member(visit), lists: listsOf(visit.deps) })

/** Without the base path. */
export const importPath = (id: number): string => `/settings/import/${id}`

/** The import in the path; somebody else's is not found. */
export async function findImport(visit: ImportVisit): Promise<ListImport> {
  const id = pathId(visit)
  try {
    return await visit.lists.find(visit.session.userId, id)
  } catch (cause) {
    throw isError(cause, 'not_found') ? pageNotFound() : cause
  }
}

/**
 * Does something to the import in the path and redirects to `target`, by default its page. If that is no longer
 * possible because the import has moved on, redirects there too and says so.
 */
export async function actOn(
  visit: ImportVisit,
  act: (userId: number, id: number) => Promise<unknown>,
  target: (id: number) => string | Promise<string> = importPath,
): Promise<Response> {
  const { id } = await findImport(visit)
  try {
    await act(visit.session.userId, id)
  } catch (cause) {
    if (!isError(cause, 'invalid_params') && !isError(cause, 'not_found')) throw cause
    setFlash(visit, 'import_moved')
    return seeOther(visit, importPath(id))
  }
  return seeOther(visit, await target(id))
}

const isError = (cause: unknown, type: ApiError['type']): boolean =>
  cause instanceof ApiError && cause.type === type
