import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { timeMarkup } from '../../pages/moment'
import { mostPreviews } from '../../transfer/batch/limits'
import type { ListImport } from '../../transfer/batch/list-import'
import { sourceNames } from '../../transfer/source-names'
import { type Asked, pathOf } from './asked'
import { figure, rowsOf, sumsText, takenOf } from './figures'
import type { ImportVisit } from './import-visit'
import { applyForm, optionsForm } from './options'
import { rowsSection } from './rows'

/** What the import would do, and what the user still has to decide. */
export async function showPreview(visit: ImportVisit, one: ListImport, asked: Asked): Promise<PageContent> {
  const { t } = visit
  const title = t.listImports.previewTitle
  const main = html`<div class="import-preview" id="import">
    <div class="import-head"><h1>${title}</h1>
      <p class="meta">${sourceNames[one.source]} · <span class="file-name">${one.fileName}</span> · ${timeMarkup(visit, one.createdAt)} · ${t.listImports.kept(mostPreviews)}</p>
      ${sentence(visit, one)}${partNote(visit, one)}</div>
    <aside class="import-side">${optionsForm(visit, one)}${applyForm(visit, one, asked)}</aside>
    <div class="import-body">${await rowsSection(visit, one, asked, probableNote(visit, one, asked))}</div>
  </div>`
  return { title, main, isWide: true }
}

function sentence(visit: ImportVisit, one: ListImport): Markup {
  const { t } = visit
  const all = rowsOf(one)
  if (all === 0) return html`<p>${t.listImports.none}</p>`
  if (takenOf(one) === 0 && one.counts.unchanged > 0)
    return html`<p>${t.listImports.nothingNew(figure(visit, one.counts.unchanged), figure(visit, all))}</p>`
  const able = t.listImports.able.figure(
    figure(visit, takenOf(one) + one.counts.unchanged),
    figure(visit, all),
  )
  return html`<p class="import-sentence"><b>${able}</b>${t.listImports.able.rest(sumsText(visit, one.sums))}</p>`
}

function partNote({ t }: ImportVisit, { isPart }: ListImport): Markup {
  return isPart
    ? html`<div class="note">${icon('warning')}<span class="text">${t.listImports.isPart}</span></div>`
    : html``
}

/** How many rows need a decision, with a button to accept the probable ones at once. */
function probableNote(visit: ImportVisit, one: ListImport, asked: Asked): Markup {
  const { t, basePath } = visit
  const { probable } = one
  const open = one.counts.check + one.counts.not_found
  if (open === 0) return html``
  const link = (to: Partial<Asked>, text: string) =>
    html`<a class="button small" href="${basePath}${pathOf(one.id, { state: asked.state, page: asked.page, ...to })}">${text}</a>`
  const count = figure(visit, probable)
  if (probable > 0 && asked.acceptsProbable)
    return html`<div class="note">${icon('check')}<span class="text">${t.listImports.accepted(count, probable)}</span>${link({}, t.listImports.leaveThem)}</div>`
  const words = [t.listImports.needYou(figure(visit, open), open)]
  if (probable > 0) words.push(t.listImports.probable(count, probable))
  const button =
    probable > 0
      ? link({ acceptsProbable: true }, t.listImports.accept(count))
      : link({ state: one.counts.check > 0 ? 'check' : 'not_found', page: 1 }, t.listImports.look)
  return html`<div class="note">${icon('question')}<span class="text">${t.common.sentences(words)}</span>${button}</div>`
}
