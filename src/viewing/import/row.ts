import { html, type Markup } from '../../pages/html'
import { spriteIcon } from '../../pages/icons'
import { chosenTitle, titleMarkup } from '../../pages/title'
import type { ListImport } from '../../transfer/batch/list-import'
import type { ImportRow } from '../../transfer/batch/lists'
import type { RowState } from '../../transfer/plan/planned-row'
import { cover, workPath } from '../parts/cover'
import { seasonName } from '../parts/season'
import type { FoundWork } from '../search/queries'
import { mediumName } from '../work/facts'
import { type Asked, pathOf } from './asked'
import type { ImportVisit } from './import-visit'
import { addsText, saidText } from './row-text'
import { stateIcons } from './states'

interface ShownRow {
  readonly row: ImportRow
  readonly work: FoundWork | undefined
  readonly asked: Asked
  readonly isOpen: boolean
  /** In an open row, the box to choose the work. */
  readonly box: Markup | ''
}

/** What the file says → which work → what is added. */
export function importRow(visit: ImportVisit, one: ListImport, shown: ShownRow): Markup {
  const { row, box } = shown
  const title = row.title === '' ? row.sourceId : row.title
  return html`<li class="import-row" id="row-${row.number}"><div class="import-line"><div class="import-file"><b>${title}</b><small>${saidText(visit, row)}</small>${row.shown.warnings.map((text) => warning(visit, text))}</div>${workOf(visit, shown)}<div class="import-adds">${addsText(visit, one, row)}</div>${stateOf(visit, one, shown)}</div>${box}</li>`
}

/** Stored in English, as the API answers it. */
function warning({ t }: ImportVisit, text: string): Markup {
  const warnings = t.listImports.warnings
  const date = /^(started_on|finished_on) (\S+) is (no date|before 1950|in the future)$/.exec(text)
  const order = /^finished_on (\S+) is before started_on (\S+)$/.exec(text)
  const episodes = /^there is no episode (.+)$/.exec(text)?.[1]
  const own =
    (date &&
      warnings.date(t.library[date[1] === 'started_on' ? 'started_on' : 'finished_on'], date[2] ?? '')) ??
    (order && warnings.order(order[1] ?? '', order[2] ?? '')) ??
    (episodes === undefined ? undefined : warnings.noEpisode(episodes))
  return own
    ? html`<small class="import-warning">${own}</small>`
    : html`<small class="import-warning" lang="en">${text}</small>`
}

function workOf(visit: ImportVisit, { row, work }: ShownRow): Markup {
  const { t } = visit
  if (work === undefined) {
    const words: Partial<Record<RowState, string>> = {
      not_found: t.listImports.noWork,
      check: t.listImports.openWork,
    }
    return html`<div class="import-work"><span class="no-cover">${spriteIcon('find', 14)}</span><span class="text"><b>${words[row.state] ?? ''}</b></span></div>`
  }
  const { matchedBy } = row.shown
  const by = matchedBy === null ? [] : [t.listImports.by[matchedBy]]
  const facts = [seasonName(visit, work), mediumName(visit, work.media), ...by]
  return html`<div class="import-work">${cover(visit, work, 38)}<div class="text"><a class="work" href="${workPath(visit, work.id)}">${titleMarkup(visit, work)}</a><small>${facts.filter((fact) => fact !== '').join(' · ')}</small></div></div>`
}

/** Includes a link to choose another work as long as nothing has been applied. */
function stateOf(visit: ImportVisit, one: ListImport, { row, work, asked, isOpen }: ShownRow): Markup {
  const { t, basePath } = visit
  const { number, state, title } = row
  const word = state === 'new' && one.state !== 'preview' ? t.listImports.taken : t.listImports.states[state]
  const mark = html`<span class="state of-${state}">${spriteIcon(stateIcons[state], 16)}${word}</span>`
  const name = t.listImports.changeOf(title || (work ? chosenTitle(visit, work).text : String(number)))
  const target = isOpen
    ? `${pathOf(one.id, { ...asked, row: 0 })}#row-${number}`
    : pathOf(one.id, { ...asked, row: number })
  const change =
    one.state === 'preview' && mayChange(row)
      ? html`<a class="import-change" href="${basePath}${target}" aria-label="${isOpen ? t.common.close : name}">${isOpen ? t.common.close : t.listImports.change}</a>`
      : ''
  return html`<div class="import-mark">${mark}${change}</div>`
}

const mayChange = ({ state, reason }: ImportRow): boolean =>
  state === 'skipped' ? reason === 'chosen' : state !== 'error'
