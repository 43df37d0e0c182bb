import { ApiError } from '../../http/errors'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent, PageContext } from '../../pages/layout'
import type { ListFile } from '../../transfer/batch/lists'
import { keepTable } from '../../transfer/batch/tables'
import { RefusedFile } from '../../transfer/file/refused-file'
import { refusalSentence } from '../../transfer/refusal'
import { type ListSource, sourceNames, sources } from '../../transfer/sources'
import { seeOther } from '../../web/page'
import { type ImportVisit, importPath } from './import-visit'

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

/** `chosen`: '' to detect the source. */
export function sourceSelect({ t }: PageContext, chosen: string): Markup {
  const option = (value: string, name: string) =>
    html`<option value="${value}"${value === chosen ? html` selected` : ''}>${name}</option>`
  return html`<div class="field"><label for="source">${t.listImports.what}</label>
    <select id="source" name="source">${option('', t.listImports.findOut)}${sources.map((source) =>
      option(source, sourceNames[source]),
    )}${option(ownColumns, t.listImports.columns.choose)}</select></div>`
}

/** Instead of a source: a table whose columns are to be named, even if they are known. */
export const ownColumns = 'columns'

const sourceIn = (text: string): ListSource | undefined => sources.find((source) => source === text)

/** Where users get the file of each source. */
export function whereToGetIt({ t }: PageContext): Markup {
  const lines = sources
    .filter(hasOwnPlace)
    .map((source) => html`<div><dt>${sourceNames[source]}</dt><dd>${t.listImports.places[source]}</dd></div>`)
  return html`<details class="fold-line"><summary>${t.listImports.where}${icon('down', 16)}</summary>
    <dl class="places">${lines}</dl></details>`
}

/** Whose files the text about another source mentions: `anilist` and `annict`. */
const withoutPlace = ['anilist-gdpr', 'annict-backup'] as const

const hasOwnPlace = (source: ListSource): source is Exclude<ListSource, (typeof withoutPlace)[number]> =>
  !withoutPlace.some((one) => one === source)

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
