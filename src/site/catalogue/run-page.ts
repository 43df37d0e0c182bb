import type { ImportReport, LineCounts } from '../../catalogue/import/report'
import { html, type Markup } from '../../pages/html'
import { type PageContext, reloading } from '../../pages/layout'
import { moment } from '../../pages/moment'
import { table } from '../../pages/table'
import type { RunReport, WorkChange } from '../../sources/run/report'
import { findRun, isRunning, type SourceRun } from '../../sources/run/runs'
import { administrator, definePage } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { pathId } from '../../web/visit'
import { askedText, figure, hasFailed, outcomeText, runningBox, sourcePath, titleOf } from './run-text'
import { declaredSources } from './source-text'

export const adminRun = definePage({
  path: '/admin/catalogue/runs/:id',
  access: administrator,
  show: async (visit) => {
    const { deps, t } = visit
    const run = await findRun(deps.read, pathId(visit))
    if (run === undefined) throw pageNotFound()
    const source = titleOf(await declaredSources(), run.source)
    const title = t.catalogue.runTitle(source)
    const goesOn = isRunning(run)
    const main = html`<h1>${title}</h1>
      ${goesOn ? runningBox(visit, run, source, '') : ''}
      ${facts(visit, run, source)}
      ${run.report === null ? '' : reportParts(visit, run.report)}`
    return { title, main, ...(goesOn && { head: reloading }) }
  },
})

function facts(pageContext: PageContext, run: SourceRun, source: string): Markup {
  const { t, basePath } = pageContext
  const { message, startedAt, endedAt, cause } = run
  const entry = (name: string, value: string | Markup) => html`<dt>${name}</dt><dd>${value}</dd>`
  return html`<dl>
    ${entry(t.catalogue.result, html`<b class="${hasFailed(run) ? 'wrong' : ''}">${outcomeText(pageContext, run)}</b>`)}
    ${message === null ? '' : entry(t.catalogue.why, html`<span lang="en">${message}</span>`)}
    ${entry(t.catalogue.source, html`<a href="${basePath}${sourcePath(run.source)}">${source}</a>`)}
    ${entry(t.catalogue.started, moment(pageContext, startedAt))}
    ${endedAt === null ? '' : entry(t.catalogue.ended, moment(pageContext, endedAt))}
    ${entry(t.catalogue.cause, t.catalogue.causes[cause])}
    ${entry(t.catalogue.asked, askedText(pageContext, run))}
  </dl>`
}

/** What a run changed or would have changed, and what it left alone. */
const reportParts = (
  pageContext: PageContext,
  { import: imported, changes, changesCount, leftAlone }: RunReport,
): Markup =>
  html`${changesPart(pageContext, changes, changesCount)}
    ${countsPart(pageContext, imported)}
    ${leftAlonePart(pageContext, leftAlone)}
    ${sentences(pageContext.t.catalogue.problems, imported.problems.map(lineOf(pageContext)))}
    ${sentences(pageContext.t.catalogue.warnings, imported.warnings)}`

function changesPart(pageContext: PageContext, changes: readonly WorkChange[], count: number): Markup {
  const { t, basePath } = pageContext
  const head = html`<h2>${t.catalogue.changes}</h2>`
  if (changes.length === 0) return html`${head}<p class="soft">${t.catalogue.noChanges}</p>`
  const value = (text: string) =>
    text === '' ? html`<i class="soft">${t.catalogue.nothing}</i>` : html`${text}`
  const work = ({ workId, title }: WorkChange) =>
    html`<a href="${basePath}/works/${workId}" lang="ja">${title}</a>`
  const before = ({ old, owner }: WorkChange) =>
    html`${value(old)}${owner === '' ? '' : html` <small>${owner}</small>`}`
  const list = table(changes, [
    [t.catalogue.work, work],
    [t.catalogue.field, ({ field }) => html`<code>${field}</code>`],
    [t.catalogue.before, before],
    [t.catalogue.after, (change) => value(change.new)],
  ])
  const more =
    count > changes.length
      ? html`<p class="meta">${t.catalogue.changesMore(figure(pageContext, count))}</p>`
      : ''
  return html`${head}${list}${more}`
}

const countNames = ['created', 'updated', 'unchanged', 'merged', 'deleted', 'unresolved', 'conflict'] as const

function countsPart(pageContext: PageContext, { counts }: ImportReport): Markup {
  const { t } = pageContext
  const kinds: [string, LineCounts][] = Object.entries(counts)
  if (kinds.length === 0) return html``
  const shown = countNames.filter((name) => kinds.some(([, count]) => count[name] > 0))
  const figures = shown.map(
    (name) =>
      [
        t.catalogue.countNames[name],
        ([, count]: [string, LineCounts]) => figure(pageContext, count[name]),
      ] as const,
  )
  return html`<h2>${t.catalogue.counts}</h2>${table(kinds, [
    [t.catalogue.kind, ([kind]) => html`<code>${kind}</code>`],
    ...figures,
  ])}`
}

function leftAlonePart(pageContext: PageContext, leftAlone: RunReport['leftAlone']): Markup {
  const { t } = pageContext
  if (leftAlone.length === 0) return html``
  const list = table(leftAlone, [
    [t.catalogue.field, ({ field }) => html`<code>${field}</code>`],
    [t.catalogue.owner, ({ owner }) => owner],
    [t.catalogue.number, ({ count }) => figure(pageContext, count)],
  ])
  return html`<h2>${t.catalogue.leftAlone}</h2><p class="meta">${t.catalogue.leftAloneExplained}</p>
    ${list}`
}

const lineOf =
  ({ t }: PageContext) =>
  ({ line, message }: ImportReport['problems'][number]): string =>
    t.catalogue.line(line, message)

/** In the importer's own words, in English; the first hundred. */
function sentences(title: string, texts: readonly string[]): Markup {
  if (texts.length === 0) return html``
  return html`<h2>${title}</h2><ul lang="en">${texts.slice(0, 100).map((text) => html`<li>${text}</li>`)}</ul>`
}
