import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { moment } from '../../pages/moment'
import { table } from '../../pages/table'
import type { Run } from '../../sources/run/runs'
import type { AnySource } from '../../sources/source'
import { askedText, hasFailed, outcomeText, runPath } from './run-text'
import { titleOf } from './running'

export function runTable(
  pageContext: PageContext,
  runs: readonly Run[],
  sources: readonly AnySource[],
): Markup {
  const { t, basePath } = pageContext
  if (runs.length === 0) return html`<p class="soft">${t.catalogue.noRuns}</p>`
  const heads = [
    ...[t.catalogue.started, t.catalogue.source, t.catalogue.result],
    ...[t.catalogue.asked, t.catalogue.cause],
  ]
  const rows = runs.map((run) => [
    html`<a href="${basePath}${runPath(run)}">${moment(pageContext, run.startedAt)}</a>`,
    titleOf(sources, run.source),
    html`<span class="${hasFailed(run) ? 'wrong' : ''}">${outcomeText(pageContext, run)}</span>`,
    askedText(pageContext, run),
    t.catalogue.causes[run.cause],
  ])
  return table(heads, rows)
}
