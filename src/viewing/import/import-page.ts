import { html, type Markup } from '../../pages/html'
import { type PageContent, reloading } from '../../pages/layout'
import { day } from '../../pages/moment'
import type { ListImport } from '../../transfer/batch/list-import'
import { sourceNames } from '../../transfer/sources'
import { csrfInput } from '../../web/form-markup'
import { definePage } from '../../web/page'
import { queryText } from '../../web/visit'
import { figure, findImport, type ImportVisit, importer, importPath, importViewOf } from './import-visit'
import { showPreview } from './preview'
import { showReport } from './report'

/** What an import will do, is doing or has done. */
export const importPage = definePage({
  path: '/settings/import/:id',
  access: importer,
  show: async (visit) => showImport(visit, await findImport(visit)),
})

async function showImport(visit: ImportVisit, one: ListImport): Promise<PageContent> {
  const asked = importViewOf((name) => queryText(visit, name))
  switch (one.state) {
    case 'preview':
      return showPreview(visit, one, asked)
    case 'reading':
    case 'applying':
    case 'undoing':
      return showRunning(visit, one)
    default:
      return showReport(visit, one, asked)
  }
}

/** Shown while it is being applied or undone; the page updates, even without script. */
function showRunning(visit: ImportVisit, one: ListImport): PageContent {
  const { t, basePath } = visit
  const title = titleOf(visit, one)
  const main = html`<div class="import-running"><h1>${title}</h1>
    <p class="meta">${sourceNames[one.source]} · ${day(visit, one.createdAt)}</p>
    <div id="running" data-poll="2">${progress(visit, one)}
    <p class="soft">${one.isWaiting ? t.listImports.waiting : t.listImports.mayClose}</p></div>
    <noscript><p><a class="button small" href="${basePath}${importPath(one.id)}">${t.common.reload}</a></p></noscript>
    ${one.state === 'applying' ? stopForm(visit, one) : ''}</div>`
  return { title, main, head: reloading }
}

function titleOf({ t }: ImportVisit, { state }: ListImport): string {
  if (state === 'reading') return t.listImports.readingTitle
  return state === 'undoing' ? t.listImports.undoingTitle : t.listImports.applyingTitle
}

function progress(visit: ImportVisit, { progress: { done, total }, state }: ListImport): Markup {
  const { t } = visit
  if (total === 0 || state === 'reading') return html``
  const words = t.listImports.progress(figure(visit, done), figure(visit, total))
  const width = Math.round((1000 * Math.min(done, total)) / total)
  return html`<p class="running-figure" aria-hidden="true"><b>${figure(visit, done)}</b> / ${figure(visit, total)}</p>
    <div class="running-bar" role="progressbar" aria-label="${t.listImports.progressName}" aria-valuemin="0" aria-valuemax="${total}" aria-valuenow="${done}" aria-valuetext="${words}"><svg viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="8" /></svg></div>`
}

const stopForm = (visit: ImportVisit, { id }: ListImport): Markup =>
  html`<form method="post" action="${visit.basePath}${importPath(id)}/undo">${csrfInput(visit)}
    <button class="wide">${visit.t.listImports.stop}</button></form>`
