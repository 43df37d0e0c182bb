import { sql } from 'kysely'
import { survivor } from '../../catalogue/survivors'
import { preparedSql } from '../../db/prepared'
import { type RawValues, textOrBlank } from '../../http/request-values'
import { finishedOn, startedOn } from '../../library/status-dates'
import { type StatusKind, statusKinds } from '../../library/statuses'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { chosenTitle, titleMarkup } from '../../pages/title'
import { definePage, member } from '../../web/page'
import type { FormProblem } from '../../web/problem'
import { pageBefore, safeReturn } from '../../web/return-to'
import { type MemberVisit, queryText } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { findWork, type ShownWork } from '../work/view'

/** The status of a work, and when it was started and finished (D71). */
export const datesPage = definePage({
  path: '/works/:id/dates',
  access: member,
  show: async (visit) => {
    const work = await findWork(visit)
    return await showDates(visit, work, { returnTo: cameFrom(visit, work) })
  },
})

/** Shows the form again with what was typed and its problem. */
export async function datesPageWithProblem(
  visit: MemberVisit,
  problem: FormProblem,
  sent: RawValues,
): Promise<PageContent> {
  const text = (name: string) => textOrBlank(sent, name)
  const work = await findWork({ ...visit, params: { id: text('work_id') } })
  const typed = { started_on: text('started_on'), finished_on: text('finished_on') }
  const returnTo = safeReturn(text('return_to'), visit.deps.config.baseUrl)
  const page = await showDates(visit, work, { returnTo, typed, problem })
  return { ...page, status: problem.status }
}

interface Form {
  readonly returnTo: string
  readonly typed?: Readonly<Record<'started_on' | 'finished_on', string>>
  readonly problem?: FormProblem
}

async function showDates(visit: MemberVisit, work: ShownWork, form: Form): Promise<PageContent> {
  const { deps, session, t } = visit
  const [status] = await statusOfWork(deps.seen, { user: session.userId, work: work.id })
  const said = { started_on: status?.started_on ?? '', finished_on: status?.finished_on ?? '' }
  const { started_on, finished_on } = form.typed ?? said
  const dates = html`${dateField(visit, form, { name: 'started_on', text: started_on, told: status?.started ?? '' })}
    ${dateField(visit, form, { name: 'finished_on', text: finished_on, told: status?.finished ?? '' })}
    <p class="hint">${t.library.datesHint}</p><button class="filled">${t.common.save}</button>`
  const act = {
    act: 'status_dates',
    path: '/status/dates',
    fields: { work_id: work.id },
    returnTo: form.returnTo,
    swap,
  }
  const main = html`<div id="dates" class="dates"><h1>${titleMarkup(visit, work)}</h1>
    ${statusChoice(visit, work, { kind: status?.kind, returnTo: form.returnTo })}
    ${status === undefined ? html`<p class="soft">${t.library.noStatus}</p>` : actForm(visit, act, dates)}</div>`
  return { title: t.library.datesOf(chosenTitle(visit, work).text), main, place: 'library' }
}

/** Fragments of the page that opened the dialog. */
const swap = '#dates, #library, #progress'

function statusChoice(
  visit: MemberVisit,
  work: ShownWork,
  { kind, returnTo }: { kind: string | undefined; returnTo: string },
): Markup {
  const { t } = visit
  const choices = statusKinds.map(
    (one) =>
      html`<button class="small status ${one}" name="kind" value="${one}" aria-pressed="${String(one === kind)}">${icon(one, 14)}${t.statuses[one]}</button>`,
  )
  const remove =
    kind === undefined
      ? ''
      : html`<button class="small quiet" name="kind" value="no_select">${t.statuses.remove}</button>`
  return actForm(
    visit,
    { act: 'status', path: '/status', fields: { work_id: work.id }, returnTo, swap },
    html`<div class="buttons">${choices}${remove}</div>`,
  )
}

interface DateField {
  readonly name: 'started_on' | 'finished_on'
  readonly text: string
  /** What the records say, unless a date is set. */
  readonly told: string
}

function dateField({ t }: MemberVisit, { problem }: Form, { name, text, told }: DateField): Markup {
  const isWrong = problem?.field === name
  const wrong = isWrong ? html` aria-invalid="true" aria-describedby="${name}-problem" autofocus` : ''
  return html`<div class="field"><label for="${name}">${t.library[name]}</label>
    <input id="${name}" name="${name}" value="${text}" placeholder="${told}" maxlength="10" autocomplete="off"${wrong} />${
      isWrong ? html`<p class="problem" id="${name}-problem">${problem?.text(t) ?? ''}</p>` : ''
    }</div>`
}

/** The page that linked here, according to the query or the browser; otherwise the library. */
function cameFrom(visit: MemberVisit, { id }: ShownWork): string {
  const { deps, session } = visit
  const asked = queryText(visit, 'return_to')
  if (asked !== '') return safeReturn(asked, deps.config.baseUrl)
  const page = pageBefore(visit) ?? ''
  return page === '' || page.startsWith(`/works/${id}/dates`)
    ? `/@${session.username}/library/watching`
    : page
}

interface StatusOfWork {
  readonly kind: StatusKind
  /** As set by the user; null if the records decide. */
  readonly started_on: string | null
  readonly finished_on: string | null
  /** The dates to show. */
  readonly started: string | null
  readonly finished: string | null
}

/** Includes its dates (D71). */
export const statusOfWork = preparedSql<StatusOfWork, { user: number; work: number }>(
  (slot) => sql<StatusOfWork>`
    select kind, started_on, finished_on, ${startedOn} as started, ${finishedOn} as finished
    from statuses join works on works.id = statuses.work_id
    where statuses.user_id = ${slot('user')} and statuses.work_id = ${survivor('works', slot('work'))}`,
)
