import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { day } from '../../pages/moment'
import type { ListImport } from '../../transfer/batch/list-import'
import { sourceNames } from '../../transfer/sources'
import { csrfInput } from '../../web/form-markup'
import { definePage } from '../../web/page'
import { type MemberVisit, queryText } from '../../web/visit'
import { pageLinks, pageNumber } from '../parts/page-links'
import { namedTables } from './columns-page'
import { figure, type ImportVisit, importer, importPath, sumsText, takenOf } from './import-visit'
import { sourceSelect, whereToGetIt } from './read-list'

export const choosePage = definePage({
  path: '/settings/import',
  access: importer,
  show: (visit) => showChoose(visit),
})

/** Why a file was not read, and the form's other values. */
export interface UploadRefusal {
  readonly status: number
  readonly what: string
  readonly source: string
  readonly sentence: string
  /** Whether an account was read instead of a file. */
  readonly isOfAccount?: true
}

export async function showChoose(visit: ImportVisit, refusal?: UploadRefusal): Promise<PageContent> {
  const { t } = visit
  const main = html`<h1>${t.listImports.title}</h1>
    <div class="import-choose"><p class="soft">${t.listImports.explained}</p>
    ${refusal === undefined ? '' : refusalBox(refusal)}
    ${uploadForm(visit, refusal?.source ?? '')}
    ${annictForm(visit, refusal?.isOfAccount)}
    ${whereToGetIt(visit)}${await namedTables(visit)}
    ${await earlierImports(visit)}</div>`
  const title = refusal === undefined ? t.listImports.title : t.common.error(t.listImports.title)
  return { title, main, status: refusal?.status ?? 200 }
}

const refusalBox = ({ what, sentence }: UploadRefusal): Markup =>
  html`<div class="problems refusal" role="alert" tabindex="-1" autofocus>${icon('warning')}
    <div><h2>${what}</h2><p>${sentence}</p></div></div>`

function uploadForm(visit: ImportVisit, source: string): Markup {
  const { t, basePath } = visit
  return html`<form method="post" action="${basePath}/settings/import" class="upload" enctype="multipart/form-data">
    ${csrfInput(visit)}
    <div class="drop">${icon('file', 28)}<div><label for="file">${t.listImports.choose}</label>
      <small id="file-kinds">${t.listImports.kinds}</small></div>
      <input type="file" id="file" name="file" required data-at-once aria-describedby="file-kinds" /></div>
    ${sourceSelect(visit, source)}
    <button class="filled wide">${t.listImports.read}</button>
  </form>`
}

function annictForm(visit: ImportVisit, isOpen = false): Markup {
  const { t, basePath } = visit
  const { annict } = t.listImports
  return html`<details class="fold-line"${isOpen ? html` open` : ''}><summary>${annict.title}${icon('down', 16)}</summary>
    <form method="post" action="${basePath}/settings/import/annict">${csrfInput(visit)}
      <div class="field"><label for="token">${annict.token}</label>
        <input type="password" id="token" name="token" required autocomplete="off" maxlength="500" aria-describedby="token-hint" />
        <p class="hint" id="token-hint">${annict.hint}</p></div>
      <button class="outlined">${annict.read}</button></form></details>`
}

const pageSize = 20

async function earlierImports(visit: ImportVisit): Promise<Markup> {
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

export const undoButton = (visit: MemberVisit, { id }: ListImport, name: string): Markup => {
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
