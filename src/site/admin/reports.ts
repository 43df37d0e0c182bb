import { longestModerationReason } from '../../accounts/account/standing'
import { html, type Markup } from '../../pages/html'
import { moment } from '../../pages/moment'
import { hideReported } from '../../social/hide'
import {
  dismissReport,
  findReport,
  type ListedReport,
  listReports,
  type ReportState,
  reportStates,
} from '../../social/moderation'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { linesField } from '../../web/fields'
import { setFlash } from '../../web/flash'
import { defineAction, defineForm } from '../../web/form'
import { buttonForm } from '../../web/form-markup'
import { administrator, definePage, type PageRoute, seeOther } from '../../web/page'
import { PageProblem, pageNotFound } from '../../web/problem'
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
        main: html`${reportChips(visit, state)}${list}${hasMore ? nextPage(visit, state, reports) : ''}`,
      })
    },
  }),
  ...defineForm({
    path: `${reportsPath}/:id/hide`,
    access: administrator,
    act: 'hide',
    fields: {
      reason: linesField({
        label: (t) => t.reports.hideReason,
        hint: (t) => t.reports.hideReasonHint,
        limit: longestModerationReason,
      }),
    },
    button: (t) => t.reports.hide,
    show: async (visit, form) => {
      const report = await openReport(visit)
      const { t } = visit
      return {
        title: t.reports.hideTitle,
        main: html`<h1>${t.reports.hideTitle}</h1><p>${t.reports.hideExplained(report.username)}</p>
          <blockquote class="reported" dir="auto">${report.copy}</blockquote>${form}
          <p><a href="${visit.basePath}${reportsPath}">${t.common.cancel}</a></p>`,
      }
    },
    submit: async (visit, { reason }) => {
      const { deps, context, session } = visit
      const { id } = await openReport(visit)
      if (!(await hideReported(deps, { reportId: id, by: session.userId, reason }))) throw alreadyGone()
      deps.log('hidden', { id: context.id, report: id, by: session.userId })
      setFlash(visit, 'saved')
      return seeOther(visit, reportsPath)
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

/** The open report in the path. Throws the 404 page. */
async function openReport(visit: MemberVisit): Promise<ListedReport> {
  const report = await findReport(visit.deps.read, pathId(visit))
  if (report === undefined || report.closed_at !== null) throw pageNotFound()
  return report
}

const alreadyGone = () => new PageProblem(409, (t) => [t.reports.goneTitle, t.reports.gone])

/** Open and closed reports, and the log of what was done about them. */
export function reportChips({ t, basePath }: MemberVisit, shown: ReportState | 'log'): Markup {
  const paths = { open: reportsPath, closed: `${reportsPath}?state=closed`, log: '/admin/log' } as const
  const chip = (one: keyof typeof paths) =>
    html`<a class="chip" href="${basePath}${paths[one]}"${one === shown ? html` aria-current="true"` : ''}>${t.reports.states[one]}</a>`
  return html`<nav class="chips" aria-label="${t.users.status}">${chip('open')}${chip('closed')}${chip('log')}</nav>`
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

type Moderated = Pick<ListedReport, 'user_id' | 'username' | 'record_id' | 'review_id' | 'comment_id'>

/** Whose it is, with a link to their account. */
export function aboutText({ t, basePath }: MemberVisit, about: Moderated): Markup {
  const { user_id, username, record_id, review_id, comment_id } = about
  const writer = html`<a href="${basePath}/admin/users/${user_id}">${username}</a>`
  if (record_id !== null) return html`${t.reports.record(record_id)}${t.common.colon}${writer}`
  if (review_id !== null) return html`${t.reports.review(review_id)}${t.common.colon}${writer}`
  if (comment_id !== null) return html`${t.reports.comment(comment_id)}${t.common.colon}${writer}`
  return html`${t.reports.profile}${t.common.colon}${writer}`
}

/** Who decided something: an administrator, who may be gone, or 0 for the command line. */
export function moderatorName({ t }: MemberVisit, id: number | null, username: string | null): string {
  if (id === 0) return t.reports.commandLine
  return username ?? t.common.formerMember
}

function decision(visit: MemberVisit, report: ListedReport): Markup {
  const { t, basePath, session } = visit
  const { id, user_id, username, disabled_at, closed_at, closer, outcome } = report
  if (outcome === null) {
    const suspend =
      user_id === session.userId || disabled_at !== null
        ? ''
        : html`<a class="button" href="${basePath}/admin/users/${user_id}/disable">${t.users.disableUser(username)}…</a>`
    return html`${buttonForm(visit, `${reportsPath}/${id}/dismiss`, t.reports.dismiss)}<a class="button" href="${basePath}${reportsPath}/${id}/hide">${t.reports.hide}…</a>${suspend}`
  }
  const word = t.reports.outcomes[outcome as keyof typeof t.reports.outcomes]
  return html`<span class="meta">${word} · ${moderatorName(visit, report.closed_by, closer)} · ${moment(visit, closed_at)}</span>`
}
