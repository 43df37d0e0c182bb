import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { moment } from '../../pages/moment'
import { isRunning, type SourceRun } from '../../sources/run/runs'
import type { AnySource } from '../../sources/source'

export function outcomeText({ t }: PageContext, run: SourceRun): string {
  const { outcome, isDryRun } = run
  if (outcome === null) return isRunning(run) ? t.catalogue.inProgress : t.catalogue.interrupted
  return outcome === 'done' && isDryRun ? t.catalogue.dryDone : t.catalogue.outcomes[outcome]
}

const failures: readonly SourceRun['outcome'][] = [
  'unreachable',
  'not_understood',
  'held_back',
  'refused',
  'failed',
]

export const hasFailed = ({ outcome }: SourceRun): boolean => failures.includes(outcome)

/** When the run began, linked to its report, and its outcome. */
export const runCell = (pageContext: PageContext, run: SourceRun): Markup =>
  html`<a href="${pageContext.basePath}${runPath(run)}">${moment(pageContext, run.startedAt)}</a>
    <small class="${hasFailed(run) ? 'wrong' : ''}">${outcomeText(pageContext, run)}</small>`

/** `3 requests, 1.2 MB` */
export function askedText(pageContext: PageContext, run: SourceRun): string {
  const { t } = pageContext
  const asked = t.catalogue.requests(
    figure(pageContext, run.requests),
    run.requests,
    sizeText(pageContext, run.bytes),
  )
  const unmodified = t.catalogue.notModified(figure(pageContext, run.notModified))
  return run.notModified === 0 ? asked : `${asked} · ${unmodified}`
}

/** `4,918` */
export const figure = ({ t }: PageContext, count: number): string => count.toLocaleString(t.language.locale)

function sizeText({ t }: PageContext, bytes: number): string {
  const [value, unit] = bytes < 1e6 ? [Math.ceil(bytes / 1e3), 'kilobyte'] : [bytes / 1e6, 'megabyte']
  return value.toLocaleString(t.language.locale, { style: 'unit', unit, maximumFractionDigits: 1 })
}

export const sourcePath = (name: string): string => `/admin/catalogue/sources/${name}`

export const runPath = ({ id }: Pick<SourceRun, 'id'>): string => `/admin/catalogue/runs/${id}`

export const runningOf = (runs: readonly SourceRun[]): SourceRun | undefined => runs.find(isRunning)

export const titleOf = (sources: readonly AnySource[], name: string): string =>
  sources.find((source) => source.name === name)?.title ?? name

/** A link to the run in progress, if there is one. */
export function runningLink(pageContext: PageContext, run: SourceRun | undefined, title: string): Markup {
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
export function runningBox(
  pageContext: PageContext,
  run: SourceRun,
  title: string,
  link: Markup | '',
): Markup {
  const { t } = pageContext
  const told = run.requests === 0 ? t.catalogue.waiting : askedText(pageContext, run)
  return html`<div class="box running" id="running" data-poll="2" role="status">
      <p><b>${t.catalogue.running(title)}</b> · ${told}</p>
      <p class="meta">${t.catalogue.runningExplained} ${link}</p>
    </div>`
}
