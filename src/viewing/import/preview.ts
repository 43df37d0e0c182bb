import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { timeMarkup } from '../../pages/moment'
import { zoneOptions } from '../../pages/zone-options'
import { mustAnswer } from '../../transfer/batch/file-facts'
import { mostPreviews } from '../../transfer/batch/limits'
import type { Ask, ListImport } from '../../transfer/batch/list-import'
import { conflictPolicies, scoreFormats } from '../../transfer/plan/planned-row'
import { sourceNames } from '../../transfer/sources'
import { csrfInput } from '../../web/form-markup'
import {
  figure,
  type ImportView,
  type ImportVisit,
  importPath,
  pathOf,
  rowsOf,
  sumsText,
  takenOf,
  takesOver,
} from './import-visit'
import { listsForm } from './lists'
import { rowsSection } from './rows'

/** What the import would do, and what the user still has to decide. */
export async function showPreview(
  visit: ImportVisit,
  one: ListImport,
  asked: ImportView,
): Promise<PageContent> {
  const { t } = visit
  const title = t.listImports.previewTitle
  const main = html`<div class="import-preview" id="import">
    <div class="import-head"><h1>${title}</h1>
      <p class="meta">${sourceNames[one.source]} · <span class="file-name">${one.fileName}</span> · ${timeMarkup(visit, one.createdAt)} · ${t.listImports.kept(mostPreviews)}</p>
      ${sentence(visit, one)}${partNote(visit, one)}</div>
    <aside class="import-side">${optionsForm(visit, one)}${listsForm(visit, one)}${applyForm(visit, one, asked)}</aside>
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

/** What to do when both sides differ, and the questions that the file leaves open. */
function optionsForm(visit: ImportVisit, one: ListImport): Markup {
  const { t, basePath } = visit
  return html`<details class="import-options" id="options"${mustAsk(one) ? html` open` : ''}>
    <summary><span>${t.listImports.differs}${t.common.colon}<b>${t.listImports.conflict[one.conflict].name}</b></span>${icon('down', 16)}</summary>
    <form method="post" action="${basePath}${importPath(one.id)}/options" data-swap="#import">${csrfInput(visit)}
      ${conflictField(visit, one)}${questions(visit, one)}
      <button class="small">${t.listImports.recount}</button>
    </form></details>`
}

const mustAsk = (one: ListImport): boolean => mustAnswer(one.asks, one).length > 0

const asks = ({ asks: open }: ListImport, name: Ask['name']): boolean => open.some((ask) => ask.name === name)

function conflictField({ t }: ImportVisit, one: ListImport): Markup {
  const { differs, conflict } = t.listImports
  const radio = (policy: ListImport['conflict']) =>
    html`<div class="check"><input type="radio" id="conflict-${policy}" name="conflict" value="${policy}" aria-describedby="means-${policy}"${policy === one.conflict ? html` checked` : ''} />
      <div><label for="conflict-${policy}">${conflict[policy].name}</label><p class="hint" id="means-${policy}">${conflict[policy].means}</p></div></div>`
  return html`<fieldset class="field"><legend>${differs}</legend>${conflictPolicies.map(radio)}</fieldset>`
}

function questions(visit: ImportVisit, one: ListImport): Markup {
  const fields = [
    ...(asks(one, 'score_format') || one.scoreFormat !== null ? [scoreField(visit, one)] : []),
    ...(asks(one, 'user') ? [userField(visit, one)] : []),
    ...(asks(one, 'time_zone') ? [zoneField(visit, one)] : []),
    ...(asks(one, 'include_private') ? [privateField(visit, one)] : []),
    ...(asks(one, 'complete_watched') ? [completeField(visit, one)] : []),
    allPrivateField(visit, one),
  ]
  return html`<fieldset><legend class="import-legend">${visit.t.listImports.howToRead}</legend>${fields}</fieldset>`
}

function scoreField({ t }: ImportVisit, one: ListImport): Markup {
  const option = (value: string, name: string) =>
    html`<option value="${value}"${value === (one.scoreFormat ?? '') ? html` selected` : ''}>${name}</option>`
  const offered = one.asks.find(({ name }) => name === 'score_format')?.options ?? scoreFormats
  const known = scoreFormats.filter((format) => offered.includes(format) || format === one.scoreFormat)
  const isOpen = asks(one, 'score_format')
  return html`<div class="field"><label for="score_format">${t.listImports.scores}</label>
    <select id="score_format" name="score_format"${isOpen ? html` aria-describedby="scores-asked"` : ''}>${isOpen ? option('', t.listImports.scoreFormats.unknown) : ''}${known.map((format) => option(format, t.listImports.scoreFormats[format]))}</select>
    ${isOpen ? html`<p class="hint" id="scores-asked">${t.listImports.scoresAsked}</p>` : ''}</div>`
}

function userField({ t }: ImportVisit, one: ListImport): Markup {
  const option = (value: string, name: string) =>
    html`<option value="${value}"${value === (one.user ?? '') ? html` selected` : ''}>${name}</option>`
  const names = one.asks.find(({ name }) => name === 'user')?.options ?? []
  return html`<div class="field"><label for="user">${t.listImports.user}</label>
    <select id="user" name="user" aria-describedby="user-hint">${one.user === null ? option('', t.listImports.chooseUser) : ''}${names.map((name) => option(name, name))}</select>
    <p class="hint" id="user-hint">${t.listImports.userHint}</p></div>`
}

function zoneField(visit: ImportVisit, { timeZone }: ListImport): Markup {
  const { t } = visit
  return html`<div class="field"><label for="time_zone">${t.preferences.timeZone}</label>
    <select id="time_zone" name="time_zone" aria-describedby="zone-hint">${zoneOptions(visit.now, timeZone)}</select>
    <p class="hint" id="zone-hint">${t.listImports.timeZoneHint}</p></div>`
}

function privateField({ t }: ImportVisit, { includesPrivate }: ListImport): Markup {
  return html`<div class="check"><input type="hidden" name="asks_private" value="1" /><input type="checkbox" id="include_private" name="include_private" value="1" aria-describedby="private-hint"${includesPrivate ? html` checked` : ''} />
    <div><label for="include_private">${t.listImports.includePrivate}</label><p class="hint" id="private-hint">${t.listImports.includePrivateHint}</p></div></div>`
}

function allPrivateField({ t }: ImportVisit, { isAllPrivate }: ListImport): Markup {
  return html`<div class="check"><input type="hidden" name="asks_all_private" value="1" /><input type="checkbox" id="all_private" name="all_private" value="1" aria-describedby="all-private-hint"${isAllPrivate ? html` checked` : ''} />
    <div><label for="all_private">${t.listImports.allPrivate}</label><p class="hint" id="all-private-hint">${t.listImports.allPrivateHint}</p></div></div>`
}

function completeField({ t }: ImportVisit, { completesWatched }: ListImport): Markup {
  return html`<div class="check"><input type="hidden" name="asks_complete" value="1" /><input type="checkbox" id="complete_watched" name="complete_watched" value="1" aria-describedby="complete-hint"${completesWatched ? html` checked` : ''} />
    <div><label for="complete_watched">${t.listImports.completeWatched}</label><p class="hint" id="complete-hint">${t.listImports.completeWatchedHint}</p></div></div>`
}

/** On a phone, its button is the bar at the bottom. */
function applyForm(visit: ImportVisit, one: ListImport, { acceptsProbable }: ImportView): Markup {
  const { t, basePath } = visit
  const count = takenOf(one) + (acceptsProbable ? one.probable : 0)
  const [open] = mustAnswer(one.asks, one)
  if (open !== undefined)
    return html`<p><a href="#options">${open === 'user' ? t.listImports.userHint : t.listImports.scoresAsked}</a></p>`
  const shown = figure(visit, count)
  const accept = acceptsProbable ? html`<input type="hidden" name="accept" value="probable" />` : ''
  if (count === 0 && !takesOver(one))
    return html`<p><small>${one.counts.conflict > 0 && one.conflict === 'keep' ? t.listImports.allKept(t.listImports.conflict.file.name) : t.listImports.nothingToApply}</small></p>
      <form method="post" action="${basePath}${importPath(one.id)}/apply" class="import-apply">${csrfInput(visit)}<button>${t.listImports.finish}</button></form>`
  return html`<p><small>${t.listImports.anyTime}</small></p>
    <form method="post" action="${basePath}${importPath(one.id)}/apply" class="import-apply">${csrfInput(visit)}${accept}
    <button class="filled">${count === 0 ? t.listImports.applyLists : t.listImports.apply(shown, count)}</button></form>`
}

/** How many rows need a decision, with a button to accept the probable ones at once. */
function probableNote(visit: ImportVisit, one: ListImport, asked: ImportView): Markup {
  const { t, basePath } = visit
  const { probable } = one
  const open = one.counts.check + one.counts.not_found
  if (open === 0) return html``
  const link = (to: Partial<ImportView>, text: string) =>
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
