import { html, type Markup } from '../../pages/html'
import { icon, sprite } from '../../pages/icons'
import type { ListImport } from '../../transfer/batch/list-import'
import type { ImportRow } from '../../transfer/batch/lists'
import type { RowState } from '../../transfer/plan/planned-row'
import { pageLinks } from '../parts/page-links'
import { type FoundWork, foundWorks } from '../search/queries'
import { type Asked, pageSize, pathOf } from './asked'
import { figure, rowsOf } from './figures'
import type { ImportVisit } from './import-visit'
import { openRow, proposalsOf } from './open-row'
import { importRow } from './row'
import { shownStates, stateIcons } from './states'

/** The rows of the requested state in pages, below links to each state, with `note` in between. */
export async function rowsSection(
  visit: ImportVisit,
  one: ListImport,
  asked: Asked,
  note: Markup | '' = '',
): Promise<Markup> {
  const { t, basePath } = visit
  const shown = await findRows(visit, one, asked)
  const list =
    shown.rows.length === 0
      ? nothing(visit, one, asked)
      : html`<ol class="import-rows" id="rows">${shown.rows.map((row) => rowOrOpen(visit, one, shown, row))}</ol>`
  const path = `${basePath}${pathOf(one.id, { ...asked, page: 1, row: 0 })}`
  const pages = { page: asked.page, pages: Math.ceil(shown.total / pageSize) }
  return html`${stateChips(visit, one, asked)}${note}
    <section aria-labelledby="rows-head"><h2 class="unseen" id="rows-head">${t.listImports.rows}</h2>
    ${sprite(...Object.values(stateIcons))}${list}</section>${pageLinks(visit, path, pages)}`
}

function stateChips(visit: ImportVisit, one: ListImport, { state, acceptsProbable }: Asked): Markup {
  const { t, basePath } = visit
  const chip = (to: RowState | undefined) => {
    const count = to === undefined ? rowsOf(one) : one.counts[to]
    if (to !== undefined && count === 0 && to !== state) return html``
    const current = to === state ? html` aria-current="page"` : ''
    const mark = to === undefined ? '' : html`<span class="state of-${to}">${icon(stateIcons[to], 16)}</span>`
    const name =
      to === 'new' && one.state !== 'preview' ? t.listImports.taken : t.listImports.states[to ?? 'all']
    return html`<a class="chip" href="${basePath}${pathOf(one.id, { state: to, acceptsProbable })}"${current}>${mark}${name} <span class="figure">${figure(visit, count)}</span></a>`
  }
  return html`<nav class="chips import-states" aria-label="${t.listImports.filter}">${[undefined, ...shownStates].map(chip)}</nav>`
}

interface ShownRows {
  readonly rows: readonly ImportRow[]
  readonly total: number
  readonly works: ReadonlyMap<number, FoundWork>
  readonly open: { readonly row: ImportRow; readonly proposals: readonly number[] } | undefined
  readonly asked: Asked
}

async function findRows(visit: ImportVisit, one: ListImport, asked: Asked): Promise<ShownRows> {
  const { lists, session, deps } = visit
  const page = { state: asked.state, offset: (asked.page - 1) * pageSize, limit: pageSize }
  const { rows, total } = await lists.rows(session.userId, one.id, page)
  const row = one.state === 'preview' ? rowToOpen(rows, asked) : undefined
  const open = row && { row, proposals: await proposalsOf(visit, row, asked) }
  const ids = new Set([...rows.flatMap(({ workId }) => workId ?? []), ...(open?.proposals ?? [])])
  const found = await foundWorks(deps.read, { ids: JSON.stringify([...ids]), user: session.userId })
  return { rows, total, works: new Map(found.map((work) => [work.id, work])), open, asked }
}

/** The requested row; on the page of rows that all need a work, the first by default. */
function rowToOpen(rows: readonly ImportRow[], { row, state }: Asked): ImportRow | undefined {
  const asked = rows.find(({ number, state: own }) => number === row && own !== 'error')
  if (asked !== undefined || row > 0) return asked
  return state === 'check' || state === 'not_found' ? rows[0] : undefined
}

function rowOrOpen(visit: ImportVisit, one: ListImport, shown: ShownRows, row: ImportRow): Markup {
  const { works, open, asked } = shown
  const isOpen = open?.row === row
  const box = isOpen ? openRow(visit, one, { ...open, works, asked }) : ''
  return importRow(visit, one, { row, work: works.get(row.workId ?? 0), asked, isOpen, box })
}

function nothing({ t, basePath }: ImportVisit, one: ListImport, { state }: Asked): Markup {
  if (state === undefined && rowsOf(one) === 0) return html``
  return html`<div class="nothing"><h2>${t.listImports.emptyFilter}</h2>
    <a class="button" href="${basePath}${pathOf(one.id, {})}">${t.listImports.showAll}</a></div>`
}
