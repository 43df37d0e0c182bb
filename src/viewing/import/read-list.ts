import { ApiError } from '../../http/errors'
import type { PageContent } from '../../pages/layout'
import type { ListFile } from '../../transfer/batch/lists'
import { RefusedFile } from '../../transfer/file/refused-file'
import { refusalSentence } from '../../transfer/refusal'
import { seeOther } from '../../web/page'
import { type ImportVisit, importPath } from './import-visit'
import { sourceIn } from './sources'

/** Creates a preview of a file and redirects to it; `refuse` shows why the file cannot be read. */
export async function readList(
  visit: ImportVisit,
  file: ListFile,
  source: string,
  refuse: (sentence: string) => Promise<PageContent>,
): Promise<PageContent | Response> {
  const { lists, session } = visit
  try {
    const { timeZone } = visit.preferences
    const made = await lists.read(session.userId, file, { source: sourceIn(source), timeZone })
    return seeOther(visit, importPath(made.id))
  } catch (cause) {
    if (cause instanceof RefusedFile) return refuse(refusalSentence(cause, visit.t))
    if (cause instanceof ApiError && cause.type === 'invalid_params')
      return refuse(cause.violations.join(' '))
    throw cause
  }
}
