import { html, type Markup } from '../../pages/html'
import { type IconName, icon, sprite, spriteIcon } from '../../pages/icons'
import { chosenTitle, titleMarkup } from '../../pages/title'
import type { ListImport } from '../../transfer/batch/list-import'
import type { ImportRow } from '../../transfer/batch/lists'
import type { RowState } from '../../transfer/plan/planned-row'
import { cover, workPath } from '../parts/cover'
import { pageLinks } from '../parts/page-links'
import { seasonName } from '../parts/season'
import { type FoundWork, foundWorks } from '../search/queries'
import { mediumName } from '../work/facts'
import { figure, type ImportView, type ImportVisit, pageSize, pathOf, rowsOf } from './import-visit'
import { openRow, proposalsOf } from './open-row'
import { addsText, saidText } from './row-text'

/** In order of interest to users. */
const shownStates = ['new', 'conflict', 'check', 'not_found', 'unchanged', 'skipped', 'error'] as const

const stateIcons: Readonly<Record<RowState, IconName>> = {
  new: 'plus',
  conflict: 'swap',
  check: 'question',
  not_found: 'find',
  unchanged: 'equal',
  skipped: 'banned',
  error: 'warning',
}

/** The rows of the requested state in pages, below links to each state, with `note` in between. */
export async function rowsSection(
  visit: ImportVisit,
  one: ListImport,
  asked: ImportView,
  note: Markup | '' = '',
): Promise<Markup> {
  const { t, basePath } = visit
  const shown = await findRows(visit, one, asked)
  const list =
    shown.rows.length === 0
      ? nothing(visit, one, asked)
      : html`<ol class="import-rows" id="rows">${shown.rows.map((row) => rowOrOpen(visit, one, shown, row))}</ol>`
  const path = `${basePath}${pathOf(one.id, { ...asked, page: 1, row: 0 })}`
  const pages = { page: asked.page, pages: Math.ceil(shown.total / pageSize) }
  return html`${stateChips(visit, one, asked)}${note}
    <section aria-labelledby="rows-head"><h2 class="unseen" id="rows-head">${t.listImports.rows}</h2>
    ${sprite(...Object.values(stateIcons))}${list}</section>${pageLinks(visit, path, pages)}`
}

function stateChips(visit: ImportVisit, one: ListImport, { state, acceptsProbable }: ImportView): Markup {
  const { t, basePath } = visit
  const chip = (to: RowState | undefined) => {
    const count = to === undefined ? rowsOf(one) : one.counts[to]
    if (to !== undefined && count === 0 && to !== state) return html``
    const current = to === state ? html` aria-current="page"` : ''
    const mark = to === undefined ? '' : html`<span class="state of-${to}">${icon(stateIcons[to], 16)}</span>`
    const name =
      to === 'new' && one.state !== 'preview' ? t.listImports.taken : t.listImports.states[to ?? 'all']
    return html`<a class="chip" href="${basePath}${pathOf(one.id, { state: to, acceptsProbable })}"${current}>${mark}${name} <span class="figure">${figure(visit, count)}</span></a>`
  }
  return html`<nav class="chips import-states" aria-label="${t.listImports.filter}">${[undefined, ...shownStates].map(chip)}</nav>`
}

interface ShownRows {
  readonly rows: readonly ImportRow[]
  readonly total: number
  readonly works: ReadonlyMap<number, FoundWork>
  readonly open: { readonly row: ImportRow; readonly proposals: readonly number[] } | undefined
  readonly asked: ImportView
}

async function findRows(visit: ImportVisit, one: ListImport, asked: ImportView): Promise<ShownRows> {
  const { lists, session, deps } = visit
  const page = { state: asked.state, offset: (asked.page - 1) * pageSize, limit: pageSize }
  const { rows, total } = await lists.rows(session.userId, one.id, page)
  const row = one.state === 'preview' ? rowToOpen(rows, asked) : undefined
  const open = row && { row, proposals: await proposalsOf(visit, row, asked) }
  const ids = new Set([...rows.flatMap(({ workId }) => workId ?? []), ...(open?.proposals ?? [])])
  const found = await foundWorks(deps.seen, { ids: JSON.stringify([...ids]), user: session.userId })
  return { rows, total, works: new Map(found.map((work) => [work.id, work])), open, asked }
}

/** The requested row; on the page of rows that all need a work, the first by default. */
function rowToOpen(rows: readonly ImportRow[], { row, state }: ImportView): ImportRow | undefined {
  const asked = rows.find(({ number, state: own }) => number === row && own !== 'error')
  if (asked !== undefined || row > 0) return asked
  return state === 'check' || state === 'not_found' ? rows[0] : undefined
}

function rowOrOpen(visit: ImportVisit, one: ListImport, shown: ShownRows, row: ImportRow): Markup {
  const { works, open, asked } = shown
  const isOpen = open?.row === row
  const box = isOpen ? openRow(visit, one, { ...open, works, asked }) : ''
  return importRow(visit, one, { row, work: works.get(row.workId ?? 0), asked, isOpen, box })
}

function nothing({ t, basePath }: ImportVisit, one: ListImport, { state }: ImportView): Markup {
  if (state === undefined && rowsOf(one) === 0) return html``
  return html`<div class="nothing"><h2>${t.listImports.emptyFilter}</h2>
    <a class="button" href="${basePath}${pathOf(one.id, {})}">${t.listImports.showAll}</a></div>`
}

interface ShownRow {
  readonly row: ImportRow
  readonly work: FoundWork | undefined
  readonly asked: ImportView
  readonly isOpen: boolean
  /** In an open row, the box to choose the work. */
  readonly box: Markup | ''
}

/** What the file says → which work → what is added. */
function importRow(visit: ImportVisit, one: ListImport, shown: ShownRow): Markup {
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
