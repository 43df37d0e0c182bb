import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { csrfInput } from '../../web/form-markup'
import { definePage } from '../../web/page'
import { namedTables } from './columns-page'
import { earlierImports } from './history'
import { type ImportVisit, importer } from './import-visit'
import { sourceSelect, whereToGetIt } from './sources'

export const choosePage = definePage({
  path: '/settings/import',
  access: importer,
  show: (visit) => showChoose(visit),
})

/** Why a file was not read, and the form's other values. */
export interface Refusal {
  readonly status: number
  readonly what: string
  readonly source: string
  readonly sentence: string
  /** Whether an account was read instead of a file. */
  readonly isOfAccount?: true
}

export async function showChoose(visit: ImportVisit, refusal?: Refusal): Promise<PageContent> {
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

const refusalBox = ({ what, sentence }: Refusal): Markup =>
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
