import { html, type Markup } from '../../pages/html'
import { moment } from '../../pages/moment'
import {
  dismissReport,
  type ListedReport,
  listReports,
  type ReportState,
  reportStates,
} from '../../social/moderation'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { setFlash } from '../../web/flash'
import { defineAction } from '../../web/form'
import { buttonForm } from '../../web/form-markup'
import { administrator, definePage, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId, queryText } from '../../web/visit'
import { adminPage } from './tabs'

const reportsPath = '/admin/reports'

/** Query parameters: `state=closed` for those that were decided, and `after`, the last one of the page before. */
export const reports: readonly PageRoute[] = [
  definePage({
    path: reportsPath,
    access: administrator,
    show: async (visit) => {
      const { deps, t } = visit
      const state = reportStates.find((one) => one === queryText(visit, 'state')) ?? 'open'
      const after = readIfValid(positiveInteger, queryText(visit, 'after'))
      const { reports, hasMore } = await listReports(deps.read, { state, after })
      const list =
        reports.length === 0
          ? html`<p>${t.reports.none[state]}</p>`
          : html`<ul class="rows reports">${reports.map((one) => row(visit, one))}</ul>`
      return adminPage(visit, 'reports', {
        main: html`${stateChips(visit, state)}${list}${hasMore ? nextPage(visit, state, reports) : ''}`,
      })
    },
  }),
  defineAction({
    path: `${reportsPath}/:id/dismiss`,
    access: administrator,
    run: async (visit) => {
      const { deps, context, session } = visit
      const id = pathId(visit)
      if (!(await dismissReport(deps, { id, by: session.userId }))) throw pageNotFound()
      deps.log('report_dismissed', { id: context.id, report: id, by: session.userId })
      setFlash(visit, 'saved')
      return seeOther(visit, reportsPath)
    },
  }),
]

function stateChips({ t, basePath }: MemberVisit, state: ReportState): Markup {
  const chip = (one: ReportState) =>
    html`<a class="chip" href="${basePath}${reportsPath}${one === 'open' ? '' : `?state=${one}`}"${one === state ? html` aria-current="true"` : ''}>${t.reports.states[one]}</a>`
  return html`<nav class="chips" aria-label="${t.users.status}">${reportStates.map(chip)}</nav>`
}

function nextPage(
  { t, basePath }: MemberVisit,
  state: ReportState,
  reports: readonly ListedReport[],
): Markup {
  const query = `state=${state}&after=${reports.at(-1)?.id ?? 0}`
  return html`<p><a href="${basePath}${reportsPath}?${query}" rel="next">${t.common.next}</a></p>`
}

function row(visit: MemberVisit, report: ListedReport): Markup {
  const { t } = visit
  const { id, reporter, reason, text, copy, created_at, earlier } = report
  const before = earlier === 0 ? '' : html` · ${t.reports.earlier(earlier)}`
  const said = text === '' ? '' : html`<p class="answer" dir="auto">${text}</p>`
  return html`<li class="row" data-report="${id}"><div class="text">
      <b>${aboutText(visit, report)}</b>${before}
      <blockquote class="reported" dir="auto">${copy}</blockquote>
      <p class="meta">${t.reports.reasons[reason as keyof typeof t.reports.reasons]} · ${t.reports.by(reporter)} · ${moment(visit, created_at)}</p>${said}</div>
    <div class="buttons">${decision(visit, report)}</div></li>`
}

/** Whose it is, with a link to their account. */
function aboutText({ t, basePath }: MemberVisit, { user_id, username, record_id, review_id }: ListedReport) {
  const writer = html`<a href="${basePath}/admin/users/${user_id}">${username}</a>`
  if (record_id !== null) return html`${t.reports.record(record_id)}${t.common.colon}${writer}`
  if (review_id !== null) return html`${t.reports.review(review_id)}${t.common.colon}${writer}`
  return html`${t.reports.profile}${t.common.colon}${writer}`
}

function decision(visit: MemberVisit, { id, closed_at, closer, outcome }: ListedReport): Markup {
  const { t } = visit
  if (outcome === null) return buttonForm(visit, `${reportsPath}/${id}/dismiss`, t.reports.dismiss)
  const word = t.reports.outcomes[outcome as keyof typeof t.reports.outcomes]
  return html`<span class="meta">${word} · ${closer ?? t.common.formerMember} · ${moment(visit, closed_at)}</span>`
}
