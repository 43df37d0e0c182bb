import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { day } from '../../pages/moment'
import type { ListImport } from '../../transfer/batch/list-import'
import { sourceNames } from '../../transfer/source-names'
import { csrfInput } from '../../web/form-markup'
import { queryText } from '../../web/visit'
import { pageLinks, pageNumber } from '../parts/page-links'
import { figure, sumsText, takenOf } from './figures'
import { type ImportVisit, importPath } from './import-visit'

const pageSize = 20

export async function earlierImports(visit: ImportVisit): Promise<Markup> {
  const { lists, session, t, basePath } = visit
  const asked = pageNumber(queryText(visit, 'page'), Number.MAX_SAFE_INTEGER)
  const offset = Math.min((asked - 1) * pageSize, mostOffset)
  const { imports, total } = await lists.list(session.userId, { offset, limit: pageSize })
  const pages = { page: asked, pages: Math.ceil(total / pageSize) }
  const rows =
    imports.length === 0
      ? html`<p class="soft">${t.listImports.nothing}</p>`
      : html`<ul class="rows">${imports.map((one) => historyRow(visit, one))}</ul>`
  return html`<section class="import-history"><h2>${t.listImports.history}</h2>${rows}
    ${pageLinks(visit, `${basePath}/settings/import`, pages)}</section>`
}

const mostOffset = 1_000_000

function historyRow(visit: ImportVisit, one: ListImport): Markup {
  const name = sourceNames[one.source]
  const when = day(visit, one.appliedAt ?? one.createdAt)
  return html`<li class="row"><div class="text"><a class="name" href="${visit.basePath}${importPath(one.id)}">${name}</a> ${when}
    <p class="meta">${summary(visit, one)}</p></div>
    ${one.state === 'applied' ? undoButton(visit, one, name) : ''}${menu(visit, one, name)}</li>`
}

function summary(visit: ImportVisit, one: ListImport): string {
  const { t } = visit
  const state = t.listImports.stateOf[one.state]
  if (one.state !== 'applied' && one.state !== 'preview') return state
  const taken = takenOf(one)
  const works = t.listImports.toApply(figure(visit, taken), taken)
  const sums = [works, sumsText(visit, one.sums)].filter((text) => text !== '')
  return [...(one.state === 'preview' ? [state] : []), ...sums].join(t.common.dot)
}

const undoButton = (visit: ImportVisit, { id }: ListImport, name: string): Markup => {
  const { t, basePath } = visit
  return html`<form method="post" action="${basePath}${importPath(id)}/undo" data-confirm="${t.listImports.undoQuestion}">${csrfInput(visit)}
    <button class="small" aria-label="${t.listImports.undoOf(name)}">${t.shell.undo}</button></form>`
}

function menu(visit: ImportVisit, { id, state }: ListImport, name: string): Markup {
  const { t, basePath } = visit
  if (['reading', 'applying', 'undoing'].includes(state)) return html``
  const isApplied = state === 'applied'
  const question = isApplied ? html` data-confirm="${t.listImports.forgetQuestion}"` : ''
  return html`<details class="menu" name="menu"><summary aria-label="${t.listImports.more(name)}">${icon('more')}</summary>
    <div class="entries"><form method="post" action="${basePath}${importPath(id)}/delete"${question}>${csrfInput(visit)}
      <button>${state === 'preview' ? t.listImports.discard : t.listImports.forget}</button></form></div></details>`
}
