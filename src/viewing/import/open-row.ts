import { findRows } from '../../catalogue/search/find'
import { trimmed } from '../../lib/white-space'
import { maxEpisodes } from '../../library/next-episode'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { chosenTitle } from '../../pages/title'
import type { ListImport } from '../../transfer/batch/list-import'
import type { ImportRow } from '../../transfer/batch/lists'
import { csrfInput } from '../../web/form-markup'
import type { MemberVisit } from '../../web/visit'
import { cover } from '../parts/cover'
import { seasonName } from '../parts/season'
import type { FoundWork } from '../search/queries'
import { mediumName } from '../work/facts'
import { fieldsOf, type ImportView, type ImportVisit, importPath } from './import-visit'

const mostProposals = 5

/** The results of the search in the row; without a search, its work and the other candidates. */
export async function proposalsOf(
  { deps }: ImportVisit,
  { workId, shown }: ImportRow,
  { text }: ImportView,
): Promise<readonly number[]> {
  const wanted = trimmed(text)
  if (wanted !== '') return (await findRows(deps.seen, 'works', wanted)).slice(0, mostProposals)
  return [...new Set([...(workId === null ? [] : [workId]), ...shown.proposals])].slice(0, mostProposals)
}

interface OpenRow {
  readonly row: ImportRow
  readonly proposals: readonly number[]
  readonly works: ReadonlyMap<number, FoundWork>
  readonly asked: ImportView
}

export function openRow(
  visit: ImportVisit,
  one: ListImport,
  { row, proposals, works, asked }: OpenRow,
): Markup {
  const { t, basePath } = visit
  const offered = proposals.flatMap((id) => works.get(id) ?? [])
  const question = offered.length === 0 ? t.listImports.pickNone : t.listImports.pick
  const nothing =
    offered.length === 0 && asked.text !== '' ? html`<p role="status">${t.listImports.foundNone}</p>` : ''
  const hidden = hiddenFields({ ...asked, row: 0 })
  return html`<div class="import-open" id="open"><h3>${question}</h3>
    ${searchIn(visit, one, row, asked)}
    <form method="post" action="${basePath}${importPath(one.id)}/rows/${row.number}" data-swap="#import" class="decide" id="decide">${csrfInput(visit)}${hidden}
      <div id="proposals">${nothing}${offered.length === 0 ? '' : html`${proposalList(visit, offered, row.workId)}${continuesField(visit, row)}`}</div>
      <div class="buttons">${offered.length === 0 ? '' : html`<button class="outlined small" data-focus="use">${t.listImports.use}</button>`}
      <button class="quiet small" name="decision" value="skip" formnovalidate data-focus="leave">${t.listImports.leaveOut}</button></div></form></div>`
}

const hiddenFields = (asked: Partial<ImportView>): readonly Markup[] =>
  Object.entries(fieldsOf(asked)).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )

function searchIn({ t, basePath }: ImportVisit, one: ListImport, row: ImportRow, asked: ImportView): Markup {
  return html`<form class="import-search" action="${basePath}${importPath(one.id)}#row-${row.number}" data-instant data-swap="#decide">
    ${hiddenFields({ ...asked, row: row.number })}${icon('find')}<input type="search" name="q" value="${asked.text}" maxlength="100" aria-label="${t.listImports.searchFor(row.title)}" placeholder="${t.listImports.search}" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search" />
    <button class="small">${t.listImports.searchButton}</button></form>`
}

/** For a season that other sites count apart: the number that it continues at here. */
function continuesField({ t }: ImportVisit, { reason, sourceId, continuesAt }: ImportRow): Markup {
  const [, season = ''] = /\/season\/([2-9]|[1-9]\d+)$/.exec(sourceId) ?? []
  const isAsked = reason === 'numbering'
  if (season === '' && !isAsked && continuesAt === null) return html``
  const value = continuesAt ?? (isAsked ? '' : 1)
  return html`<div class="field import-continues"><label for="continues_at">${t.listImports.continuesAt(season)}</label>
    <input type="number" id="continues_at" name="continues_at" value="${value}" min="1" max="${maxEpisodes}" inputmode="numeric" required aria-describedby="continues-hint" />
    <p class="hint" id="continues-hint">${t.listImports.continuesHint}</p></div>`
}

/** Works to choose from: the one with the id `likely`, else the first, is chosen. */
export function proposalList(
  visit: MemberVisit,
  offered: readonly FoundWork[],
  likely: number | null,
): Markup {
  const chosen = offered.find(({ id }) => id === likely) ?? offered[0]
  return html`<fieldset><legend class="unseen">${visit.t.listImports.candidates}</legend>${offered.map(
    (work) => proposal(visit, work, work === chosen),
  )}</fieldset>`
}

function proposal(visit: MemberVisit, work: FoundWork, isChosen: boolean): Markup {
  const { text, lang } = chosenTitle(visit, work)
  const count = work.episodes_count > work.estimated ? [visit.t.work.episodesOf(work.episodes_count)] : []
  const facts = [seasonName(visit, work), mediumName(visit, work.media), ...count]
  return html`<label class="proposal"><input type="radio" name="work_id" value="${work.id}"${isChosen ? html` checked` : ''} />${cover(visit, work, 32)}
    <span><b lang="${lang}">${text}</b><small>${facts.filter((fact) => fact !== '').join(' · ')}</small></span></label>`
}
