import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { moment } from '../../pages/moment'
import { table } from '../../pages/table'
import { type ListedSource, needs } from '../../sources/run/settings'
import { figure, runCell, sourcePath } from './run-text'
import { hostsText, howOften, sourceText } from './source-text'

export function sourceTable(pageContext: PageContext, listed: readonly ListedSource[]): Markup {
  const { t } = pageContext
  const heads = [
    ...[t.catalogue.source, t.catalogue.contacts, t.catalogue.state],
    ...[t.catalogue.lastRun, t.catalogue.nextRun],
  ]
  return html`<div class="sources">${table(
    heads,
    listed.map((one) => sourceRow(pageContext, one)),
  )}</div>`
}

function sourceRow(pageContext: PageContext, listed: ListedSource) {
  const { t, basePath } = pageContext
  const { source, lastRun } = listed
  return [
    html`<a href="${basePath}${sourcePath(source.name)}">${source.title}</a>
      <small>${sourceText(t, source).brings}</small>`,
    html`${hostsText(t, source)} <small>${source.licence}</small>`,
    html`${stateText(pageContext, listed)} <small>${settingsText(pageContext, listed)}</small>`,
    lastRun === undefined ? t.catalogue.notYet : runCell(pageContext, lastRun),
    nextRun(pageContext, listed),
  ]
}

function stateText({ t }: PageContext, { source, isEnabled }: ListedSource): Markup {
  if (source.intervalMs === undefined) return html`${t.catalogue.byCommand}`
  return isEnabled ? html`<b class="seen">${t.catalogue.on}</b>` : html`${t.catalogue.off}`
}

/** Whether what it needs is set, and whether it fails. */
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
