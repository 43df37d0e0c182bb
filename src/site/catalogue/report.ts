import type { Counts, ImportReport } from '../../catalogue/import/report'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { table } from '../../pages/table'
import type { Change, RunReport } from '../../sources/run/report'
import { figure } from './run-text'

/** What a run changed, would have changed, and left alone. */
export const reportParts = (
  pageContext: PageContext,
  { import: imported, changes, changesCount, leftAlone }: RunReport,
): Markup =>
  html`${changesPart(pageContext, changes, changesCount)}
    ${countsPart(pageContext, imported)}
    ${leftAlonePart(pageContext, leftAlone)}
    ${sentences(pageContext.t.catalogue.problems, imported.problems.map(lineOf(pageContext)))}
    ${sentences(pageContext.t.catalogue.warnings, imported.warnings)}`

function changesPart(pageContext: PageContext, changes: readonly Change[], count: number): Markup {
  const { t, basePath } = pageContext
  const head = html`<h2>${t.catalogue.changes}</h2>`
  if (changes.length === 0) return html`${head}<p class="soft">${t.catalogue.noChanges}</p>`
  const value = (text: string) =>
    text === '' ? html`<i class="soft">${t.catalogue.nothing}</i>` : html`${text}`
  const rows = changes.map((change) => [
    html`<a href="${basePath}/works/${change.workId}" lang="ja">${change.title}</a>`,
    html`<code>${change.field}</code>`,
    html`${value(change.old)}${change.owner === '' ? '' : html` <small>${change.owner}</small>`}`,
    value(change.new),
  ])
  const more =
    count > changes.length
      ? html`<p class="meta">${t.catalogue.changesMore(figure(pageContext, count))}</p>`
      : ''
  return html`${head}${table([t.catalogue.work, t.catalogue.field, t.catalogue.before, t.catalogue.after], rows)}${more}`
}

const countNames = ['created', 'updated', 'unchanged', 'merged', 'deleted', 'unresolved', 'conflict'] as const

function countsPart(pageContext: PageContext, { counts }: ImportReport): Markup {
  const { t } = pageContext
  const kinds: [string, Counts][] = Object.entries(counts)
  if (kinds.length === 0) return html``
  const shown = countNames.filter((name) => kinds.some(([, count]) => count[name] > 0))
  const rows = kinds.map(([kind, count]) => [
    html`<code>${kind}</code>`,
    ...shown.map((name) => figure(pageContext, count[name])),
  ])
  const heads = [t.catalogue.kind, ...shown.map((name) => t.catalogue.countNames[name])]
  return html`<h2>${t.catalogue.counts}</h2>${table(heads, rows)}`
}

function leftAlonePart(pageContext: PageContext, leftAlone: RunReport['leftAlone']): Markup {
  const { t } = pageContext
  if (leftAlone.length === 0) return html``
  const rows = leftAlone.map(({ field, owner, count }) => [
    html`<code>${field}</code>`,
    owner,
    figure(pageContext, count),
  ])
  return html`<h2>${t.catalogue.leftAlone}</h2><p class="meta">${t.catalogue.leftAloneExplained}</p>
    ${table([t.catalogue.field, t.catalogue.owner, t.catalogue.number], rows)}`
}

const lineOf =
  ({ t }: PageContext) =>
  ({ line, message }: ImportReport['problems'][number]): string =>
    t.catalogue.line(line, message)

/** As the importer says them, in English; the first hundred. */
function sentences(title: string, texts: readonly string[]): Markup {
  if (texts.length === 0) return html``
  return html`<h2>${title}</h2><ul lang="en">${texts.slice(0, 100).map((text) => html`<li>${text}</li>`)}</ul>`
}
