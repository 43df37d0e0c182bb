import { readOwn } from '../../accounts/account/unread'
import { isPrefetch } from '../../http/incoming'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { type PageContent, reloading } from '../../pages/layout'
import { day, timeMarkup } from '../../pages/moment'
import { titleMarkup } from '../../pages/title'
import { mostPreviews } from '../../transfer/batch/limits'
import type { Left, ListImport } from '../../transfer/batch/list-import'
import { sourceNames } from '../../transfer/sources'
import { csrfInput } from '../../web/form-markup'
import { definePage } from '../../web/page'
import { queryText } from '../../web/visit'
import { workPath } from '../parts/cover'
import { foundWorks } from '../search/queries'
import {
  figure,
  findImport,
  type ImportView,
  type ImportVisit,
  importer,
  importPath,
  importViewOf,
  leftOverOf,
  takenOf,
  takesOver,
} from './import-visit'
import { listsTaken } from './lists'
import { showPreview } from './preview'
import { rowsSection } from './rows'

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
      if (!isPrefetch(visit.request)) await readImports(visit)
      return showReport(visit, one, asked)
  }
}

/** Whoever looks at what came of one need not be told. */
const readImports = ({ deps, session }: ImportVisit) =>
  deps.write((tx) => readOwn(tx, { user: session.userId, kind: 'import', at: deps.now() }))

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

/** What an import did, with its undo; or why it did nothing. */
async function showReport(visit: ImportVisit, one: ListImport, asked: ImportView): Promise<PageContent> {
  const isTaken = one.state === 'applied' && takesOver(one)
  const title = titles(visit)[one.state] ?? appliedTitle(visit, isTaken)
  const at = one.undoneAt ?? one.appliedAt ?? one.createdAt
  const main = html`<div class="import-report">
    <h1>${isTaken ? html`<span class="seen">${icon('check', 28)}</span> ` : ''}${title}</h1>
    <p class="meta">${sourceNames[one.source]} · <span class="file-name">${one.fileName}</span> · ${timeMarkup(visit, at)}</p>
    ${await parts(visit, one, asked)}</div>`
  return { title, main }
}

const appliedTitle = ({ t }: ImportVisit, isTaken: boolean): string =>
  isTaken ? t.listImports.appliedTitle : t.listImports.nothingTitle

const titles = ({ t }: ImportVisit): Partial<Record<ListImport['state'], string>> => ({
  undone: t.listImports.undoneTitle,
  failed: t.listImports.failedTitle,
  expired: t.listImports.expiredTitle,
})

async function parts(visit: ImportVisit, one: ListImport, asked: ImportView): Promise<Markup> {
  const { t } = visit
  switch (one.state) {
    case 'expired':
      return html`<p>${t.listImports.expiredText(mostPreviews)}</p>${again(visit)}${forget(visit, one)}`
    case 'failed':
      return html`<p>${t.listImports.failedText}</p>${one.error === null ? '' : html`<p class="soft" lang="en">${one.error}</p>`}
        ${undo(visit, one)}${again(visit)}${forget(visit, one)}`
    case 'undone':
      return html`${table(visit, one)}${await leftSection(visit, one)}${again(visit)}${forget(visit, one)}`
    default:
      return html`${takesOver(one) ? html`${table(visit, one)}${listsTaken(visit, one)}${toLibrary(visit)}` : ''}${notTaken(visit, one)}${undo(visit, one)}
        <hr />${await rowsSection(visit, one, asked)}`
  }
}

function table(visit: ImportVisit, one: ListImport): Markup {
  const { t } = visit
  const numbers = { entries: takenOf(one), ...one.sums }
  const line = (kind: keyof typeof numbers) =>
    html`<tr><th scope="row">${t.listImports.table[kind]}</th><td class="number"><b>${figure(visit, numbers[kind])}</b></td></tr>`
  const done = one.state === 'undone' ? t.listImports.removed : t.listImports.table.done
  return html`<table class="dense import-table"><thead><tr><th scope="col">${t.listImports.table.added}</th><th scope="col" class="number">${done}</th></tr></thead>
    <tbody>${(['entries', 'records', 'statuses', 'reviews'] as const).map(line)}${one.sums.listed > 0 ? line('listed') : ''}</tbody></table>`
}

const toLibrary = ({ t, basePath, session }: ImportVisit): Markup =>
  html`<p><a class="button filled" href="${basePath}/@${session.username}/library/all">${t.listImports.toLibrary}</a></p>`

function notTaken(visit: ImportVisit, one: ListImport): Markup {
  const { t, basePath } = visit
  const count = leftOverOf(one)
  if (count === 0) return html``
  const counts = (['check', 'not_found', 'skipped', 'error'] as const)
    .filter((state) => one.counts[state] > 0)
    .map((state) => `${t.listImports.states[state]} ${figure(visit, one.counts[state])}`)
  return html`<section><h2>${t.listImports.notTaken(figure(visit, count), count)}</h2>
    <p class="soft">${counts.join(t.common.comma)}</p><p class="soft">${t.listImports.notTakenHint}</p>
    <p><a class="button small" href="${basePath}${importPath(one.id)}/rest.csv" download="rest.csv" aria-label="${t.listImports.restName}">${icon('download', 16)}${t.listImports.rest}</a></p></section>`
}

function undo(visit: ImportVisit, one: ListImport): Markup {
  const { t, basePath } = visit
  if (!takesOver(one)) return forget(visit, one)
  return html`<section><h2>${t.listImports.changedMind}</h2><p class="soft">${t.listImports.undoMeans}</p>
    <form method="post" action="${basePath}${importPath(one.id)}/undo" data-confirm="${t.listImports.undoQuestion}">${csrfInput(visit)}
      <button>${icon('undo', 16)}${t.listImports.undo}</button></form></section>`
}

const again = ({ t, basePath }: ImportVisit): Markup =>
  html`<p><a class="button" href="${basePath}/settings/import">${t.listImports.again}</a></p>`

const forget = (visit: ImportVisit, { id }: ListImport): Markup =>
  html`<form method="post" action="${visit.basePath}${importPath(id)}/delete">${csrfInput(visit)}
    <button class="quiet small danger">${visit.t.listImports.forget}</button></form>`

async function leftSection(visit: ImportVisit, { left }: ListImport): Promise<Markup> {
  const { deps, session, t } = visit
  if (left.length === 0) return html``
  const ids = JSON.stringify([...new Set(left.map(({ workId }) => workId))])
  const works = await foundWorks(deps.seen, { ids, user: session.userId })
  const byId = new Map(works.map((work) => [work.id, work]))
  const line = ({ kind, workId, why }: Left) => {
    const work = byId.get(workId)
    const title =
      work === undefined
        ? html`${workId === 0 ? t.listImports.leftList : workId}`
        : html`<a href="${workPath(visit, workId)}">${titleMarkup(visit, work)}</a>`
    return html`<li class="row"><div class="text">${title}<p class="meta">${t.listImports.leftKinds[kind]} · ${t.listImports.leftWhy[why]}</p></div></li>`
  }
  const more = left.length >= 100 ? html`<p class="soft">${t.listImports.andMore}</p>` : ''
  return html`<section><h2>${t.listImports.left}</h2><p class="soft">${t.listImports.leftExplained}</p><ul class="rows">${left.map(line)}</ul>${more}</section>`
}
