import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { isRunning, type Run } from '../../sources/run/runs'
import type { AnySource } from '../../sources/source'
import { askedText, runPath } from './run-text'

export const runningOf = (runs: readonly Run[]): Run | undefined => runs.find(isRunning)

export const titleOf = (sources: readonly AnySource[], name: string): string =>
  sources.find((source) => source.name === name)?.title ?? name

/** A link to the run in progress, if there is one. */
export function runningLink(pageContext: PageContext, run: Run | undefined, title: string): Markup {
  if (run === undefined) return html``
  const { t, basePath } = pageContext
  return runningBox(
    pageContext,
    run,
    title,
    html`<a href="${basePath}${runPath(run)}">${t.catalogue.details}</a>`,
  )
}

/** The script updates it. */
export function runningBox(pageContext: PageContext, run: Run, title: string, link: Markup | ''): Markup {
  const { t } = pageContext
  const told = run.requests === 0 ? t.catalogue.waiting : askedText(pageContext, run)
  return html`<div class="box running" id="running" data-poll="2" role="status">
      <p><b>${t.catalogue.running(title)}</b> · ${told}</p>
      <p class="meta">${t.catalogue.runningExplained} ${link}</p>
    </div>`
}
