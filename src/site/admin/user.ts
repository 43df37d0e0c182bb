import { invitationsAround } from '../../accounts/account/invitation'
import { createResetLink } from '../../accounts/account/new-password'
import { finishMoveOrLog } from '../../accounts/account/privacy'
import {
  changeStanding,
  longestModerationReason,
  type StandingChange,
  type StandingDecision,
} from '../../accounts/account/standing'
import type { UserRow } from '../../accounts/account/user-rows'
import type { Message } from '../../messages/languages'
import { html, type Markup } from '../../pages/html'
import { titled } from '../../pages/layout'
import { day } from '../../pages/moment'
import { checkbox, linesField } from '../../web/fields'
import { defineAction, defineForm } from '../../web/form'
import { buttonForm } from '../../web/form-markup'
import { administrator, definePage, seeOther } from '../../web/page'
import { PageProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { confirmation, dangerZone } from '../confirmation'
import { secretToCopy, shownOnce } from '../shown-once'
import { adminUsersPath, standingOf, userIn } from './users'

export const adminUser = definePage({
  path: `${adminUsersPath}/:id`,
  access: administrator,
  show: async (visit) => {
    const { session, t, basePath } = visit
    const user = await userIn(visit)
    const around = await invitationsAround(visit.deps.read, user.id)
    return {
      title: user.username,
      main: html`
        <h1>${user.username}</h1>
        <dl>
          <dt>${t.common.name}</dt><dd>${user.name}</dd>
          <dt>${t.account.email}</dt><dd>${user.email}</dd>
          <dt>${t.users.joined}</dt><dd>${day(visit, user.created_at)}</dd>
          <dt>${t.users.status}</dt><dd>${standingOf(visit, user)}</dd>
          ${invitationFacts(visit, around)}
        </dl>
        ${user.id === session.userId ? ownNotice(visit) : actions(visit, user)}
        <p><a href="${basePath}${adminUsersPath}">${t.users.back}</a></p>
        ${user.id === session.userId || user.disabled_at !== null ? '' : disableSection(visit, user)}`,
    }
  },
})

/** Who invited this user, and whom this user invited. */
function invitationFacts(
  { t, basePath }: MemberVisit,
  { invitedBy, invited, others }: Awaited<ReturnType<typeof invitationsAround>>,
): Markup {
  const link = ({ id, username }: { readonly id: number; readonly username: string }) =>
    html`<a href="${basePath}${adminUsersPath}/${id}">${username}</a>`
  const more = others === 0 ? '' : html` ${t.users.andOthers(others)}`
  return html`${invitedBy === undefined ? '' : html`<dt>${t.users.invitedBy}</dt><dd id="invited-by">${link(invitedBy)}</dd>`}
    ${invited.length === 0 ? '' : html`<dt>${t.users.invited}</dt><dd id="invited">${invited.map((one, at) => html`${at === 0 ? '' : ' · '}${link(one)}`)}${more}</dd>`}`
}

const ownNotice = ({ t }: MemberVisit): Markup => html`
  <p class="notice">${t.users.ownNotice}</p>`

function actions(visit: MemberVisit, { id, is_admin, is_editor, disabled_at }: UserRow): Markup {
  const { t, basePath } = visit
  const path = `${adminUsersPath}/${id}`
  if (disabled_at !== null) return buttonForm(visit, `${path}/enable`, t.users.enable)
  const link = (change: string, label: string) =>
    html`<li><a href="${basePath}${path}/${change}">${label}</a></li>`
  return html`<ul>
    ${link('reset_password', t.users.resetPassword)}
    ${is_admin === 1 ? link('demote', t.users.demote) : link('promote', t.users.promote)}
    ${is_editor === 1 ? link('end_editor', t.users.endEditor) : link('make_editor', t.users.makeEditor)}
  </ul>`
}

const disableSection = ({ t, basePath }: MemberVisit, { id }: UserRow): Markup =>
  dangerZone(
    t.common.endAccess,
    html`<p><a class="danger" href="${basePath}${adminUsersPath}/${id}/disable">${t.users.disable}</a></p>`,
  )

interface StandingQuestion {
  readonly button: Message
  title(username: string): Message
  readonly text: Message
  readonly isDestructive?: true
}

type AskedFirst = Exclude<StandingChange, 'enable' | 'disable'>

const questions: Readonly<Record<AskedFirst, StandingQuestion>> = {
  promote: {
    button: (t) => t.users.promote,
    title: (name) => (t) => t.users.promoteTitle(name),
    text: (t) => t.users.promoteExplained,
  },
  demote: {
    button: (t) => t.users.demote,
    title: (name) => (t) => t.users.demoteTitle(name),
    text: (t) => t.users.demoteExplained,
    isDestructive: true,
  },
  make_editor: {
    button: (t) => t.users.makeEditor,
    title: (name) => (t) => t.users.makeEditorTitle(name),
    text: (t) => t.users.makeEditorExplained,
  },
  end_editor: {
    button: (t) => t.users.endEditor,
    title: (name) => (t) => t.users.endEditorTitle(name),
    text: (t) => t.users.endEditorExplained,
  },
}

/** Suspends somebody, and hides what they wrote unless the box is cleared. It stands in the log, which undoes it. */
const suspension = defineForm({
  path: `${adminUsersPath}/:id/disable`,
  access: administrator,
  fields: {
    reason: linesField({ label: (t) => t.reports.hideReason, limit: longestModerationReason }),
    hides: checkbox({ label: (t) => t.users.hidesAll, hint: (t) => t.users.hidesAllExplained }),
  },
  button: (t) => t.users.disable,
  isDestructive: true,
  initial: () => ({ hides: '1' }),
  show: async (visit, form) => {
    const { id, username } = await otherIn(visit)
    return confirmation(visit, form, {
      title: (t) => t.users.disableTitle(username),
      text: (t) => t.users.disableExplained,
      back: `${adminUsersPath}/${id}`,
    })
  },
  submit: (visit, { reason, hides }) => applyChange(visit, 'disable', { reason, hidesAll: hides }),
})

export const adminUserActions = [
  ...suspension,
  ...standingForm('promote'),
  ...standingForm('demote'),
  ...standingForm('make_editor'),
  ...standingForm('end_editor'),
  defineAction({
    path: `${adminUsersPath}/:id/enable`,
    access: administrator,
    run: (visit) => applyChange(visit, 'enable'),
  }),
  ...defineForm({
    path: `${adminUsersPath}/:id/reset_password`,
    access: administrator,
    fields: {},
    button: (t) => t.users.createLink,
    once: true,
    show: async (visit, form) => {
      const { username } = await userIn(visit)
      const { t } = visit
      return titled(newPasswordFor(visit, username), html`<p>${t.users.resetPasswordExplained}</p>${form}`)
    },
    submit: async (visit) => {
      const { deps, context, session } = visit
      const { id, username } = await userIn(visit)
      const link = await createResetLink(deps, id)
      deps.log('reset_link', { id: context.id, user: id, by: session.userId })
      return shownOnce(
        newPasswordFor(visit, username),
        secretToCopy(visit.t.users.resetLink, 'link', `${deps.config.baseUrl}/reset_password/${link}`),
        html`<a href="${visit.basePath}${adminUsersPath}">${visit.t.users.back}</a>`,
      )
    },
  }),
]

const newPasswordFor = ({ t }: MemberVisit, username: string) => t.users.resetPasswordTitle(username)

function standingForm(change: AskedFirst) {
  const { button, title, text, isDestructive } = questions[change]
  return defineForm({
    path: `${adminUsersPath}/:id/${change}`,
    access: administrator,
    fields: {},
    button,
    ...(isDestructive && { isDestructive }),
    show: async (visit, form) => {
      const { id, username } = await otherIn(visit)
      return confirmation(visit, form, { title: title(username), text, back: `${adminUsersPath}/${id}` })
    },
    submit: (visit) => applyChange(visit, change),
  })
}

/** Anybody but oneself. */
async function otherIn(visit: MemberVisit): Promise<UserRow> {
  const user = await userIn(visit)
  if (user.id === visit.session.userId) throw ownAccount()
  return user
}

async function applyChange(
  visit: MemberVisit,
  change: StandingChange,
  decision: Omit<StandingDecision, 'by'> = {},
): Promise<Response> {
  const { deps, context, session } = visit
  const { id } = await userIn(visit)
  const changed = await changeStanding(deps, id, change, { ...decision, by: session.userId })
  void finishMoveOrLog(deps, id)
  deps.log('standing', { id: context.id, user: id, change, outcome: changed, by: session.userId })
  if (changed === 'last') throw lastAdministrator()
  return seeOther(visit, `${adminUsersPath}/${id}`)
}

const ownAccount = () => new PageProblem(409, (t) => [t.users.own, t.users.ownExplained])

const lastAdministrator = () => new PageProblem(409, (t) => [t.users.lastTitle, t.users.last])
