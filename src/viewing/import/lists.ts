import { html, type Markup } from '../../pages/html'
import type { ComingList, ListImport } from '../../transfer/batch/list-import'
import { favorites } from '../../transfer/row'
import { csrfInput } from '../../web/form-markup'
import { figure, type ImportVisit, importPath } from './import-visit'
import { listTitle } from './row-text'

/** A box for each list of the file and for its favorites, with what becomes of it. */
export function listsForm(visit: ImportVisit, one: ListImport): Markup {
  const { t, basePath } = visit
  if (one.lists.length === 0) return html``
  const box = (list: ComingList, at: number) =>
    html`<div class="check"><input type="checkbox" id="list-${at + 1}" name="list_${at + 1}" value="1" aria-describedby="list-${at + 1}-becomes"${list.isLeftOut ? '' : html` checked`} />
      <div><label for="list-${at + 1}">${lineOf(visit, list)}</label><p class="hint" id="list-${at + 1}-becomes">${becomes(visit, list)}</p></div></div>`
  return html`<details class="import-options" id="lists" open><summary><span>${t.listImports.lists}${t.common.colon}<b>${figure(visit, one.lists.length)}</b></span></summary>
    <form method="post" action="${basePath}${importPath(one.id)}/options" data-swap="#import">${csrfInput(visit)}<input type="hidden" name="asks_lists" value="1" />
      <fieldset class="field"><legend>${t.listImports.listsAsked}</legend>${one.lists.map(box)}</fieldset>
      <button class="small">${t.listImports.recount}</button>
    </form></details>`
}

/** `見返したい：20作品中18` */
function lineOf(visit: ImportVisit, { name, works, known }: ComingList): string {
  const { t } = visit
  return `${listTitle(t, name)}${t.common.colon}${t.listImports.ofWorks(figure(visit, known), figure(visit, works), works)}`
}

function becomes(visit: ImportVisit, list: ComingList): string {
  const { t } = visit
  const { name, gains, isNew, isLeftOut, isFull, missing, works, known } = list
  if (isLeftOut) return t.listImports.listLeftOut
  const more = works - known > missing.length && missing.length > 0 ? t.listImports.amongOthers : ''
  return t.common.sentences([
    ...(gains > 0 ? [t.listImports.listGains(figure(visit, gains), gains)] : []),
    ...(gains === 0 && !isNew && known > 0 && !isFull ? [t.listImports.listHere] : []),
    ...(isNew && !isFull && name !== favorites && (gains > 0 || works === 0)
      ? [t.listImports.listIsNew]
      : []),
    ...(isFull ? [t.listImports.listIsFull] : []),
    ...(missing.length > 0 ? [t.listImports.listMissing(missing.join(t.common.comma) + more)] : []),
  ])
}

/** What came of the lists, and where they are. */
export function listsTaken(visit: ImportVisit, one: ListImport): Markup {
  const { t, basePath, session } = visit
  const taken = one.lists.filter(({ isLeftOut }) => !isLeftOut)
  if (taken.length === 0) return html``
  return html`<ul>${taken.map((list) => html`<li>${lineOf(visit, list)}</li>`)}</ul>
    <p><a href="${basePath}/@${session.username}/lists">${t.lists.title}</a></p>`
}
