import { html, type Markup } from '../../pages/html'
import { type PageContext, reloading } from '../../pages/layout'
import { moment } from '../../pages/moment'
import { lastRuns, type SourceRun } from '../../sources/run/runs'
import { type ListedSource, needs } from '../../sources/run/settings'
import { csrfInput } from '../../web/form-markup'
import { administrator, definePage } from '../../web/page'
import type { MemberVisit } from '../../web/visit'
import { dangerZone } from '../confirmation'
import { runTable } from './run-table'
import { runningLink, runningOf, sourcePath, titleOf } from './run-text'
import { settingsText } from './source-table'
import { declaredSources, homeOf, hostsText, howOften, sourceIn, sourceText } from './source-text'

export const adminSource = definePage({
  path: sourcePath(':name'),
  access: administrator,
  show: async (visit) => {
    const { deps, t } = visit
    const listed = await sourceIn(visit)
    const { source } = listed
    const sources = await declaredSources()
    const runs = await lastRuns(deps.read, 20, source.name)
    const running = runningOf(await lastRuns(deps.read, 5))
    const main = html`<h1>${source.title}</h1>
      <p>${sourceText(t, source).brings}</p>
      ${runningLink(visit, running, titleOf(sources, running?.source ?? ''))}
      ${controls(visit, listed, running)}
      ${facts(visit, listed)}
      <h2>${t.catalogue.runs}</h2>
      ${runTable(visit, runs, sources)}
      ${listed.isEnabled ? switchOff(visit, listed) : ''}`
    return { title: source.title, main, ...(running && { head: reloading }) }
  },
})

function facts(pageContext: PageContext, listed: ListedSource): Markup {
  const { t } = pageContext
  const { source, location, nextRunAt } = listed
  const entry = (name: string, value: string | Markup) => html`<dt>${name}</dt><dd>${value}</dd>`
  const settings = settingsText(pageContext, listed)
  return html`<dl>
    ${entry(t.catalogue.contacts, hostsText(t, source))}
    ${entry(t.catalogue.sent, sourceText(t, source).sends)}
    ${entry(t.catalogue.howOften, howOften(t, source))}
    ${nextRunAt === undefined ? '' : entry(t.catalogue.nextRun, moment(pageContext, nextRunAt))}
    ${location === undefined ? '' : entry(t.catalogue.location, html`<code>${location}</code>`)}
    ${settings === '' ? '' : entry(t.catalogue.state, settings)}
    ${entry(t.catalogue.licence, sourceText(t, source).attribution)}
    ${entry(t.catalogue.home, html`<a href="${homeOf(pageContext, source)}" rel="noreferrer">${source.home}</a>`)}
  </dl>`
}

/** What can be done with the source; for sources run only from the command line, the command to type. */
function controls(visit: MemberVisit, listed: ListedSource, running: SourceRun | undefined): Markup {
  const { source, isEnabled } = listed
  if (source.intervalMs === undefined) return byCommand(visit, listed)
  if (!isEnabled) return html`<div class="buttons">${switchOn(visit, listed)}</div>`
  return html`${running === undefined ? look(visit, listed) : ''}<p class="buttons">${setters(visit, listed)}</p>`
}

/** The command sets the location first, if one is needed and not set. */
function byCommand({ t }: PageContext, { source, location }: ListedSource): Markup {
  const isLost = needs(source, 'location') && location === undefined
  const commands = [
    ...(isLost ? [`kiroku catalogue sources enable ${source.name} --location URL`] : []),
    `kiroku catalogue update ${source.name}`,
  ]
  return html`<p>${t.catalogue.byCommandExplained}</p>${commands.map((command) => html`<p><code>${command}</code></p>`)}`
}

const pathOf = ({ basePath }: MemberVisit, { source }: ListedSource) =>
  `${basePath}${sourcePath(source.name)}`

/** If it needs something that is not set, links to the page that asks for it. */
function switchOn(visit: MemberVisit, listed: ListedSource): Markup {
  const { t } = visit
  const { source, location, hasToken } = listed
  const to = pathOf(visit, listed)
  if (needs(source, 'token') && !hasToken)
    return html`<a class="button filled" href="${to}/token">${t.catalogue.setToken}</a>`
  if (needs(source, 'location') && location === undefined)
    return html`<a class="button filled" href="${to}/location">${t.catalogue.setLocation}</a>`
  return html`<form method="post" action="${to}/enable">${csrfInput(visit)}<button class="filled">${t.catalogue.switchOn}</button></form>`
}

function setters(visit: MemberVisit, listed: ListedSource): Markup {
  const { t } = visit
  const to = pathOf(visit, listed)
  const { source } = listed
  return html`${needs(source, 'token') ? html`<a class="button small" href="${to}/token">${t.catalogue.changeToken}</a>` : ''}
    ${needs(source, 'location') ? html`<a class="button small" href="${to}/location">${t.catalogue.changeLocation}</a>` : ''}`
}

const switchOff = (visit: MemberVisit, listed: ListedSource): Markup => {
  const { t } = visit
  return dangerZone(
    t.catalogue.switchOffHead,
    html`<p><a class="danger" href="${pathOf(visit, listed)}/disable">${t.catalogue.switchOff}</a></p>`,
  )
}

const look = (visit: MemberVisit, listed: ListedSource): Markup => {
  const { t } = visit
  return html`<form method="post" action="${pathOf(visit, listed)}/look">${csrfInput(visit)}
      <div class="buttons"><button class="filled" name="dry_run" value="0">${t.catalogue.lookNow}</button>
      <button name="dry_run" value="1">${t.catalogue.dryRun}</button></div>
      <p class="hint">${t.catalogue.dryRunExplained}</p>
    </form>`
}
