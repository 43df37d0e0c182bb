import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { timeMarkup } from '../../pages/moment'
import { titleMarkup } from '../../pages/title'
import { mostPreviews } from '../../transfer/batch/limits'
import type { Left, ListImport } from '../../transfer/batch/list-import'
import { sourceNames } from '../../transfer/sources'
import { csrfInput } from '../../web/form-markup'
import { workPath } from '../parts/cover'
import { foundWorks } from '../search/queries'
import { figure, type ImportView, type ImportVisit, importPath, leftOverOf, takenOf } from './import-visit'
import { rowsSection } from './rows'

/** What an import did, with its undo; or why it did nothing. */
export async function showReport(
  visit: ImportVisit,
  one: ListImport,
  asked: ImportView,
): Promise<PageContent> {
  const title = titles(visit)[one.state] ?? visit.t.listImports.appliedTitle
  const at = one.undoneAt ?? one.appliedAt ?? one.createdAt
  const main = html`<div class="import-report">
    <h1>${one.state === 'applied' ? html`<span class="seen">${icon('check', 28)}</span> ` : ''}${title}</h1>
    <p class="meta">${sourceNames[one.source]} · <span class="file-name">${one.fileName}</span> · ${timeMarkup(visit, at)}</p>
    ${await parts(visit, one, asked)}</div>`
  return { title, main }
}

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
      return html`${table(visit, one)}${toLibrary(visit)}${notTaken(visit, one)}${undo(visit, one)}
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
    <tbody>${(['entries', 'records', 'statuses', 'reviews'] as const).map(line)}</tbody></table>`
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
  if (takenOf(one) === 0) return forget(visit, one)
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
        ? html`${workId}`
        : html`<a href="${workPath(visit, workId)}">${titleMarkup(visit, work)}</a>`
    return html`<li class="row"><div class="text">${title}<p class="meta">${t.listImports.leftKinds[kind]} · ${t.listImports.leftWhy[why]}</p></div></li>`
  }
  const more = left.length >= 100 ? html`<p class="soft">${t.listImports.andMore}</p>` : ''
  return html`<section><h2>${t.listImports.left}</h2><p class="soft">${t.listImports.leftExplained}</p><ul class="rows">${left.map(line)}</ul>${more}</section>`
}
