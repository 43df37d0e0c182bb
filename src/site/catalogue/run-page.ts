import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { moment } from '../../pages/moment'
import { reloading } from '../../pages/reloading'
import { findRun, isRunning, type Run } from '../../sources/run/runs'
import { administrator, definePage } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { pathId } from '../../web/visit'
import { reportParts } from './report'
import { askedText, hasFailed, outcomeText, sourcePath } from './run-text'
import { runningBox, titleOf } from './running'
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

function facts(pageContext: PageContext, run: Run, source: string): Markup {
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
