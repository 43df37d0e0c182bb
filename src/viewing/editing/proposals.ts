import { type RawBuilder, sql } from 'kysely'
import { decidesEdits } from '../../accounts/editing-right'
import {
  acceptProposal,
  findProposal,
  isOutdated,
  longestAnswer,
  type Proposal,
  rejectProposal,
  subjectOf,
  withdrawProposal,
} from '../../catalogue/edit/proposals'
import type { EditedRow, FieldEdit } from '../../catalogue/edit/row'
import { preparedSql } from '../../db/prepared'
import { textOrBlank, textsIn } from '../../http/request-values'
import { html, type Markup } from '../../pages/html'
import { moment } from '../../pages/moment'
import { chosenTitle, type Titles } from '../../pages/title'
import { positiveInteger } from '../../values/number'
import { InvalidValue, readIfValid } from '../../values/value'
import { setFlash } from '../../web/flash'
import { defineAction } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { definePage, editor, member, type PageRoute, seeOther } from '../../web/page'
import { FormProblem, namedProblem, pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId, queryText } from '../../web/visit'
import { typedProse } from '../acts/act-route'
import { nextLink } from '../parts/page-links'
import { isApart } from './changes'
import { fieldsOf } from './fields'
import { type EditorName, editorName } from './head'
import { hostOf, shownValue } from './page'
import { changePath } from './undo-button'

const path = '/catalogue/proposals'
const pageSize = 50

/** What members suggest: editors see all that is open, others their own (D93). */
export const proposalPages: readonly PageRoute[] = [
  definePage({
    path,
    access: member,
    show: async (visit) => {
      const { t, deps, session, basePath } = visit
      const before = readIfValid(positiveInteger, queryText(visit, 'before')) ?? Number.MAX_SAFE_INTEGER
      const all = decidesEdits(session) && queryText(visit, 'state') !== 'own'
      const query = { user: session.userId, before, limit: pageSize + 1 }
      const found = await (all ? openOf : ownOf)(deps.read, query)
      const rows = found.slice(0, pageSize).map((row) => listRow(visit, row))
      const older = `${basePath}${path}?before=${found[pageSize - 1]?.id ?? 0}${all ? '' : '&state=own'}`
      const more = found.length > pageSize ? nextLink(older, t.history.older) : ''
      const title = all ? t.editing.proposals : t.editing.ownProposals
      const list =
        rows.length === 0
          ? html`<p class="soft">${t.editing.noProposals}</p>`
          : html`<ul class="rows proposals">${rows}</ul>`
      return { title, main: html`<h1>${title}</h1>${list}${more}`, place: 'find' }
    },
  }),
  definePage({
    path: `${path}/:id`,
    access: member,
    show: async (visit) => {
      const proposal = await seenProposal(visit)
      const row = await subjectOf(visit.deps.read, proposal)
      const [about] = await ofAnyState(visit.deps.read, {
        user: visit.session.userId,
        before: proposal.id + 1,
        limit: 1,
      })
      if (row === undefined || about === undefined) throw pageNotFound()
      const title = `${visit.t.editing.proposal}${visit.t.common.colon}${chosenTitle(visit, about).text}`
      return {
        title,
        main: await proposalMain(visit, proposal, row, about, title),
        place: 'find',
        back: { path, name: visit.t.editing.proposals },
      }
    },
  }),
  defineAction({
    path: `${path}/:id/accept`,
    access: editor,
    run: async (visit, sent) => {
      const { deps, session } = visit
      const proposal = await seenProposal(visit)
      const named = textsIn(sent.get('take'))
      const take = proposal.edits.map(({ field }) => field).filter((field) => named.includes(field))
      if (take.length === 0) throw namedProblem(new FormProblem('take', (t) => t.editing.takeSome))
      const id = await deps.write((tx) =>
        acceptProposal(tx, { proposal, editor: session.userId, now: deps.now(), take }),
      )
      setFlash(visit, id === undefined ? 'unedited' : 'accepted', id)
      return seeOther(visit, `${path}/${proposal.id}`)
    },
  }),
  defineAction({
    path: `${path}/:id/reject`,
    access: editor,
    run: async (visit, sent) => {
      const { deps, session } = visit
      const proposal = await seenProposal(visit)
      const answer = typedProse(longestAnswer).read(textOrBlank(sent, 'answer'))
      if (answer instanceof InvalidValue) throw namedProblem(new FormProblem('answer', answer.rule))
      await deps.write((tx) =>
        rejectProposal(tx, { proposal, editor: session.userId, now: deps.now(), answer }),
      )
      setFlash(visit, 'saved')
      return seeOther(visit, `${path}/${proposal.id}`)
    },
  }),
  defineAction({
    path: `${path}/:id/withdraw`,
    access: member,
    run: async (visit) => {
      const { deps, session } = visit
      const proposal = await seenProposal(visit)
      if (proposal.user_id !== session.userId) throw pageNotFound()
      await deps.write((tx) => withdrawProposal(tx, { proposal, now: deps.now() }))
      setFlash(visit, 'saved')
      return seeOther(visit, `${path}/${proposal.id}`)
    },
  }),
]

/** Its author and editors alone see it. */
async function seenProposal(visit: MemberVisit): Promise<Proposal> {
  const proposal = await findProposal(visit.deps.read, pathId(visit))
  const isSeen = proposal?.user_id === visit.session.userId || decidesEdits(visit.session)
  if (proposal === undefined || !isSeen) throw pageNotFound()
  return proposal
}

interface ListedProposal extends EditorName, Titles {
  readonly id: number
  readonly state: Proposal['state']
  readonly content: string
  readonly subject_kind: Proposal['subject_kind']
  readonly created_at: number
  readonly accepted: number
  readonly decided: number
  readonly change_id: number | null
}

type ListQuery = { user: number; before: number; limit: number }

const listed = (where: (user: RawBuilder<number>) => RawBuilder<unknown>) =>
  preparedSql<ListedProposal, ListQuery>(
    (slot) => sql`
    select p.id, state, content, subject_kind, p.created_at, p.user_id, author.username, author.privacy,
      ${isApart(slot('user'))} as is_hidden,
      ifnull(works.title, '') as title, ifnull(works.title_en, '') as title_en, ifnull(works.title_ro, '') as title_ro,
      ${decidedAs("'accepted'")} as accepted, ${decidedAs("'accepted', 'rejected'")} as decided,
      (select max(id) from catalogue_changes where proposal_id = p.id) as change_id
    from catalogue_proposals as p join users as author on author.id = p.user_id left join works on works.id = p.work_id
    where ${where(slot('user'))} and p.id < ${slot('before')} order by p.id desc limit ${slot('limit')}`,
  )

/** How many of the author's. Uses catalogue_proposals_user. */
const decidedAs = (states: string) =>
  sql`(select count(*) from catalogue_proposals as own where own.user_id = p.user_id and own.state in (${sql.raw(states)}))`

const openOf = listed(() => sql`state = 'open'`)
const ofAnyState = listed(() => sql`true`)
const ownOf = listed((user) => sql`p.user_id = ${user}`)

function listRow(visit: MemberVisit, row: ListedProposal): Markup {
  const { t, basePath } = visit
  const edits: readonly FieldEdit[] = JSON.parse(row.content)
  const names = edits.map(({ field }) => fieldLabel(visit, row.subject_kind, field))
  const who = html`${editorName(visit, row)} · ${t.editing.acceptedOf(row.accepted, row.decided)}`
  return html`<li class="row" data-proposal="${row.id}"><div class="text"><a class="work" href="${basePath}${path}/${row.id}">${chosenTitle(visit, row).text}</a><p class="meta">${names.slice(0, 4).join(t.common.comma)}${names.length > 4 ? ` +${names.length - 4}` : ''}</p><p class="meta">${who} · ${moment(visit, row.created_at)}</p></div><span class="state">${t.editing.states[row.state]}</span></li>`
}

const fieldLabel = ({ t }: MemberVisit, kind: Proposal['subject_kind'], field: string): string =>
  fieldsOf(kind)
    .find((one) => one.field === field)
    ?.label(t) ?? field

async function proposalMain(
  visit: MemberVisit,
  proposal: Proposal,
  row: EditedRow,
  about: ListedProposal,
  title: string,
): Promise<Markup> {
  const { t, basePath, session } = visit
  const isOpen = proposal.state === 'open'
  const decides = isOpen && decidesEdits(session)
  const rows = proposal.edits.map((edit) => comparison(visit, row, edit, decides))
  const answer =
    proposal.answer === ''
      ? ''
      : html`<p dir="auto"><b>${t.editing.answer}</b>${t.common.colon}${proposal.answer}</p>`
  const made =
    about.change_id === null
      ? ''
      : html`<p><a href="${basePath}${changePath(about.change_id)}">${t.editing.change}</a></p>`
  const reason = proposal.reason === '' ? '' : html`<p class="reason" dir="auto">${proposal.reason}</p>`
  const table = html`<div class="scroll"><table class="proposal-fields"><thead><tr>${decides ? html`<td></td>` : ''}<th scope="col">${t.editing.field}</th><th scope="col">${t.editing.beforeShort}</th><th scope="col">${t.editing.suggested}</th><th scope="col">${t.editing.theirs}</th></tr></thead><tbody>${rows}</tbody></table></div>`
  const source = URL.canParse(proposal.source_url)
    ? html`<a href="${proposal.source_url}" rel="noreferrer nofollow ugc">${hostOf(proposal.source_url)}</a>`
    : ''
  return html`<h1>${title}</h1><div data-proposal="${proposal.id}"><p class="meta">${editorName(visit, about)} · ${t.editing.acceptedOf(about.accepted, about.decided)} · ${moment(visit, proposal.created_at)} · ${t.editing.states[proposal.state]} · ${source}</p>${reason}${answer}${made}
    ${decides ? decisionForms(visit, proposal, table) : table}${isOpen && proposal.user_id === session.userId ? ownForms(visit, proposal) : ''}</div>`
}

/** Before, suggested and now; what somebody changed meanwhile has no tick. */
function comparison(visit: MemberVisit, row: EditedRow, edit: FieldEdit, decides: boolean): Markup {
  const { t } = visit
  const field = fieldsOf(row.kind).find((one) => one.field === edit.field)
  const words = (value: FieldEdit['after']) =>
    field === undefined ? String(value ?? '') : shownValue(visit, field, value)
  const outdated = isOutdated(row, edit)
  const label = fieldLabel(visit, row.kind, edit.field)
  const tick = html`<td><input type="checkbox" name="take" value="${edit.field}" aria-label="${label}"${outdated ? '' : html` checked`} /></td>`
  return html`<tr data-field="${edit.field}">${decides ? tick : ''}<th scope="row">${label}</th><td><del><span class="unseen">${t.editing.before}</span>${words(edit.before)}</del></td><td><ins><span class="unseen">${t.editing.after}</span>${words(edit.after)}</ins></td><td>${outdated ? html`<b>${words(row.values[edit.field] ?? null)}</b>` : words(row.values[edit.field] ?? null)}</td></tr>`
}

function decisionForms(visit: MemberVisit, { id }: Proposal, table: Markup): Markup {
  const { t, basePath } = visit
  const action = `${basePath}${path}/${id}`
  return html`<form method="post" action="${action}/accept" data-act="accept_proposal">${csrfInput(visit)}${table}<button class="filled">${t.editing.accept}</button></form>
    <form method="post" action="${action}/reject" data-act="reject_proposal">${csrfInput(visit)}<div class="field"><label for="answer">${t.editing.answer} <small>${t.editing.optional}</small></label><textarea id="answer" name="answer" rows="2"></textarea></div><button class="quiet">${t.editing.reject}</button></form>`
}

/** The author changes or withdraws what is open. */
function ownForms(visit: MemberVisit, { id, work_id, subject_kind }: Proposal): Markup {
  const { t, basePath } = visit
  const change =
    subject_kind === 'work'
      ? html`<a class="button" href="${basePath}/works/${work_id}/edit?proposal=${id}">${t.common.edit}</a>`
      : ''
  return html`<div class="buttons">${change}<form method="post" action="${basePath}${path}/${id}/withdraw" data-act="withdraw_proposal">${csrfInput(visit)}<button class="quiet">${t.editing.withdraw}</button></form></div>`
}
