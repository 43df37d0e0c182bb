import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { moment } from '../../pages/moment'
import { table } from '../../pages/table'
import { type ListedSource, needs } from '../../sources/run/settings'
import { figure, runCell, sourcePath } from './run-text'
import { hostsText, howOften, sourceText } from './source-text'

export function sourceTable(pageContext: PageContext, listed: readonly ListedSource[]): Markup {
  const { t, basePath } = pageContext
  const about = ({
    source,
  }: ListedSource) => html`<a href="${basePath}${sourcePath(source.name)}">${source.title}</a>
      <small>${sourceText(t, source).brings}</small>`
  const state = (one: ListedSource) =>
    html`${stateText(pageContext, one)} <small>${settingsText(pageContext, one)}</small>`
  return html`<div class="sources">${table(listed, [
    [t.catalogue.source, about],
    [t.catalogue.contacts, ({ source }) => html`${hostsText(t, source)} <small>${source.licence}</small>`],
    [t.catalogue.state, state],
    [t.catalogue.lastRun, ({ lastRun }) => (lastRun ? runCell(pageContext, lastRun) : t.catalogue.notYet)],
    [t.catalogue.nextRun, (one) => nextRun(pageContext, one)],
  ])}</div>`
}

function stateText({ t }: PageContext, { source, isEnabled }: ListedSource): Markup {
  if (source.intervalMs === undefined) return html`${t.catalogue.byCommand}`
  return isEnabled ? html`<b class="seen">${t.common.on}</b>` : html`${t.common.off}`
}

/** Whether what the source needs is set, and whether it is failing. */
export function settingsText(pageContext: PageContext, listed: ListedSource): string {
  const { t } = pageContext
  const { source, hasToken, location, failures } = listed
  return [
    ...(needs(source, 'token') ? [hasToken ? t.catalogue.hasToken : t.catalogue.noToken] : []),
    ...(needs(source, 'location')
      ? [location === undefined ? t.catalogue.noLocation : t.catalogue.hasLocation]
      : []),
    ...(failures > 0 ? [t.catalogue.failures(figure(pageContext, failures))] : []),
  ].join(' · ')
}

function nextRun(pageContext: PageContext, { source, isEnabled, nextRunAt }: ListedSource): Markup {
  const often = howOften(pageContext.t, source)
  if (!isEnabled || nextRunAt === undefined) return html`<span class="soft">${often}</span>`
  return html`${moment(pageContext, nextRunAt)} <small>${often}</small>`
}
