import { ApiError } from '../../http/errors'
import type { PageContent } from '../../pages/layout'
import type { ListFile } from '../../transfer/batch/lists'
import { keepTable } from '../../transfer/batch/tables'
import { RefusedFile } from '../../transfer/file/refused-file'
import { refusalSentence } from '../../transfer/refusal'
import { seeOther } from '../../web/page'
import { type ImportVisit, importPath } from './import-visit'
import { sourceIn } from './sources'

/** Creates a preview of a file and redirects to it; `refuse` shows why the file cannot be read. */
export async function readList(
  visit: ImportVisit,
  file: ListFile,
  { source, columns }: { readonly source: string; readonly columns?: string },
  refuse: (sentence: string) => Promise<PageContent>,
): Promise<PageContent | Response> {
  const { lists, session } = visit
  try {
    const { timeZone } = visit.preferences
    const made = await lists.read(session.userId, file, {
      source: sourceIn(source),
      timeZone,
      columns,
    })
    return seeOther(visit, importPath(made.id))
  } catch (cause) {
    if (cause instanceof RefusedFile && cause.problem === 'unknown_columns' && columns === undefined)
      return await askForColumns(visit, file, refuse)
    if (cause instanceof RefusedFile) return refuse(refusalSentence(cause, visit.t))
    if (cause instanceof ApiError && cause.type === 'invalid_params')
      return refuse(cause.violations.join(' '))
    throw cause
  }
}

/** Keeps a table and redirects to the page that asks which of its columns is which. */
export async function askForColumns(
  visit: ImportVisit,
  file: ListFile,
  refuse: (sentence: string) => Promise<PageContent>,
): Promise<PageContent | Response> {
  try {
    await keepTable(visit.deps, visit.session.userId, file)
    return seeOther(visit, '/settings/import/columns')
  } catch (cause) {
    if (cause instanceof RefusedFile) return refuse(refusalSentence(cause, visit.t))
    throw cause
  }
}
