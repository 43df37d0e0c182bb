import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { moment } from '../../pages/moment'
import { table } from '../../pages/table'
import type { SourceRun } from '../../sources/run/runs'
import type { AnySource } from '../../sources/source'
import { askedText, hasFailed, outcomeText, runPath, titleOf } from './run-text'

export function runTable(
  pageContext: PageContext,
  runs: readonly SourceRun[],
  sources: readonly AnySource[],
): Markup {
  const { t, basePath } = pageContext
  if (runs.length === 0) return html`<p class="soft">${t.catalogue.noRuns}</p>`
  const link = (run: SourceRun) =>
    html`<a href="${basePath}${runPath(run)}">${moment(pageContext, run.startedAt)}</a>`
  const result = (run: SourceRun) =>
    html`<span class="${hasFailed(run) ? 'wrong' : ''}">${outcomeText(pageContext, run)}</span>`
  return table(runs, [
    [t.catalogue.started, link],
    [t.catalogue.source, ({ source }) => titleOf(sources, source)],
    [t.catalogue.result, result],
    [t.catalogue.asked, (run) => askedText(pageContext, run)],
    [t.catalogue.cause, ({ cause }) => t.catalogue.causes[cause]],
  ])
}
