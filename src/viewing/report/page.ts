import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import {
  longestReport,
  type ReportReason,
  type ReportTarget,
  report,
  reportedThing,
  reportTarget,
} from '../../social/reports'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { type ExplainedOption, hiddenField, linesField, radios } from '../../web/fields'
import { setFlash } from '../../web/flash'
import { defineForm } from '../../web/form'
import { member, seeOther } from '../../web/page'
import { FormProblem, pageNotFound } from '../../web/problem'
import { returnTarget, safeReturn } from '../../web/return-to'
import { type MemberVisit, queryText, type Visit } from '../../web/visit'

const path = '/report'
const targetNames = ['username', 'record_id', 'review_id', 'comment_id', 'return_to'] as const

type TargetTexts = Readonly<Partial<Record<(typeof targetNames)[number], string>>>

/** The link to the form for a profile, a record, a review or a comment; it leads back to this page. */
export function reportLink(visit: Visit, { name, id }: ReportTarget, of: string): Markup {
  const address = `${visit.basePath}${path}?${name}=${id}&return_to=${returnTarget(visit)}`
  return html`<a href="${address}">${icon('flag')}${visit.t.reports.report(of)}</a>`
}

const reason = radios({
  label: (t) => t.reports.reason,
  options: {
    spam: { label: (t) => t.reports.reasons.spam, hint: (t) => t.reports.hints.spam },
    harassment: { label: (t) => t.reports.reasons.harassment, hint: (t) => t.reports.hints.harassment },
    spoiler: { label: (t) => t.reports.reasons.spoiler, hint: (t) => t.reports.hints.spoiler },
    other: { label: (t) => t.reports.reasons.other, hint: (t) => t.reports.hints.other },
  } satisfies Record<ReportReason, ExplainedOption>,
})

export const reportPage = defineForm({
  path,
  access: member,
  act: 'report',
  fields: {
    username: hiddenField(),
    record_id: hiddenField(),
    review_id: hiddenField(),
    comment_id: hiddenField(),
    return_to: hiddenField(),
    reason,
    text: linesField({ label: (t) => t.reports.text, limit: longestReport, optional: true }),
  },
  button: (t) => t.reports.send,
  initial: (visit) => Object.fromEntries(targetNames.map((name) => [name, queryText(visit, name)])),
  show: (visit, form, texts) => showForm(visit, form, texts),
  submit: async (visit, { reason, text, ...texts }) => {
    const { deps, session } = visit
    const { wait } = await report(deps, session.userId, { target: targetOf(texts), reason, text })
    if (wait > 0) throw tooMany(wait)
    setFlash(visit, 'reported')
    return seeOther(visit, safeReturn(texts.return_to, deps.config.baseUrl))
  },
})

async function showForm(visit: MemberVisit, form: Markup, texts: TargetTexts): Promise<PageContent> {
  const { deps, session, t, basePath } = visit
  const thing = await reportedThing(deps.seen, targetOf(texts))
  if (thing === undefined || thing.userId === session.userId) throw pageNotFound()
  const back = `${basePath}${safeReturn(texts.return_to ?? '', deps.config.baseUrl)}`
  return {
    title: t.reports.title,
    main: html`<a class="back" href="${back}">${icon('back', 16)}${t.reports.back}</a>
      <h1>${t.reports.title}</h1>
      <p>${t.reports.explained}</p>
      <blockquote class="reported"><p class="meta">@${thing.username}</p><p dir="auto">${thing.copy}</p></blockquote>
      ${form}`,
  }
}

/** Throws the 404 page unless it is exactly one thing. */
function targetOf({ username = '', ...ids }: TargetTexts): ReportTarget {
  const idOf = (text = '') => readIfValid(positiveInteger, text)
  const target = reportTarget({
    username: username || undefined,
    record_id: idOf(ids.record_id),
    review_id: idOf(ids.review_id),
    comment_id: idOf(ids.comment_id),
  })
  if (target === undefined) throw pageNotFound()
  return target
}

const tooMany = (wait: number) =>
  new FormProblem('', (t) => t.reports.tooMany, 429, { 'Retry-After': String(Math.ceil(wait / 1000)) })
