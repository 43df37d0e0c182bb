import { ApiError } from '../../http/errors'
import type { PageContext } from '../../pages/layout'
import type { ListImport } from '../../transfer/batch/list-import'
import type { Lists } from '../../transfer/batch/lists'
import { listsOf } from '../../transfer/batch/lists-of'
import { type RowState, rowStates } from '../../transfer/plan/planned-row'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
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

export const pageSize = 50

/** The view requested by the address of an import's page. */
export interface ImportView {
  readonly state: RowState | undefined
  readonly page: number
  /** The row opened to choose its work; 0 for none. */
  readonly row: number
  /** The text to search for in the open row. */
  readonly text: string
  readonly acceptsProbable: boolean
}

/** Invalid values are ignored. */
export function importViewOf(text: (name: string) => string): ImportView {
  return {
    state: rowStates.find((state) => state === text('state')),
    page: readIfValid(positiveInteger, text('page')) ?? 1,
    row: readIfValid(positiveInteger, text('row')) ?? 0,
    text: text('q').trim().slice(0, 100),
    acceptsProbable: text('accept') === 'probable',
  }
}

export function pathOf(id: number, asked: Partial<ImportView>): string {
  const sent = new URLSearchParams(fieldsOf(asked))
  const row = asked.row ? `#row-${asked.row}` : ''
  return `${importPath(id)}${sent.size === 0 ? '' : `?${sent}`}${row}`
}

export function fieldsOf({ state, page = 1, row = 0, acceptsProbable }: Partial<ImportView>) {
  return {
    ...(state && { state }),
    ...(page > 1 && { page: String(page) }),
    ...(row > 0 && { row: String(row) }),
    ...(acceptsProbable && { accept: 'probable' }),
  }
}

interface Decided {
  readonly id: number
  readonly row: number
  readonly asked: ImportView
}

/** Where to go after deciding a row: to the next one of its state or, in the list of all, back to the row. */
export async function nextRowPath(visit: ImportVisit, { id, row, asked }: Decided): Promise<string> {
  const { state, page } = asked
  if (state === undefined) return `${pathOf(id, { ...asked, row: 0 })}#row-${row}`
  const offset = (page - 1) * pageSize
  const { rows } = await visit.lists.rows(visit.session.userId, id, { state, offset, limit: pageSize })
  const next = rows.find(({ number }) => number > row) ?? rows[0]
  return pathOf(id, { ...asked, page: rows.length === 0 ? 1 : page, row: next?.number ?? 0 })
}

/** `4,918` */
export const figure = ({ t }: PageContext, count: number): string => count.toLocaleString(t.language.locale)

/** Rows that are or will be imported. Those that differ may change nothing, as what is here is kept. */
export const takenOf = ({ changing }: ListImport): number => changing

/** Whether applying changes or changed anything: an empty list has no rows. */
export const takesOver = (one: ListImport): boolean =>
  takenOf(one) > 0 || one.lists.some(({ isLeftOut, isNew }) => isNew && !isLeftOut && one.source === 'kiroku')

/** Rows that are not imported. */
export const leftOverOf = ({ counts }: ListImport): number =>
  counts.check + counts.not_found + counts.skipped + counts.error

export const rowsOf = ({ counts }: ListImport): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** `4,918 episodes, 405 statuses`; '' if there are none. */
export function sumsText(pageContext: PageContext, sums: ListImport['sums']): string {
  const { t } = pageContext
  return (['records', 'statuses', 'reviews', 'listed'] as const)
    .filter((kind) => sums[kind] > 0)
    .map((kind) => t.listImports.sums[kind](figure(pageContext, sums[kind]), sums[kind]))
    .join(t.common.comma)
}
