import {
  createInvitation,
  invitationUses,
  listInvitations,
  mostUses,
  noteText,
  withdrawInvitation,
} from '../../accounts/account/invitation'
import { html, type Markup } from '../../pages/html'
import { moment } from '../../pages/moment'
import { table } from '../../pages/table'
import { choice, type FormField, textField } from '../../web/fields'
import { defineForm } from '../../web/form'
import { administrator, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'
import { confirmation, dangerLink } from '../confirmation'
import { secretToCopy, shownOnce } from '../shown-once'
import { adminPage } from './tabs'

type Invitation = Awaited<ReturnType<typeof listInvitations>>[number]

const count = invitationUses((t) => t.invitations.countRule(mostUses))

const uses: FormField<number> = {
  label: (t) => t.invitations.count,
  control: { kind: 'text', autocomplete: 'off', required: true },
  read: (text) => count.read(text.trim()),
}

const nameOf = ({ id, note }: Invitation) => (note === '' ? `#${id}` : note)

const day = 86_400_000
const lifetimes = { '7d': 7 * day, '1d': day, '30d': 30 * day, never: undefined }

export const invitations: readonly PageRoute[] = [
  ...defineForm({
    path: '/admin/invitations',
    access: administrator,
    fields: {
      uses,
      expires_in: choice({
        label: (t) => t.common.validFor,
        options: {
          '7d': (t) => t.common.days(7),
          '1d': (t) => t.common.days(1),
          '30d': (t) => t.common.days(30),
          never: (t) => t.invitations.noLimit,
        },
      }),
      note: textField({
        label: (t) => t.invitations.note,
        hint: (t) => t.invitations.noteHint,
        optional: true,
        value: noteText,
      }),
    },
    button: (t) => t.invitations.create,
    once: true,
    initial: () => ({ uses: '1' }),
    show: async (visit, form) => {
      const list = invitationTable(visit, await listInvitations(visit.deps.read))
      return adminPage(visit, 'invitations', { main: html`${closedNotice(visit)}${form}${list}` })
    },
    submit: async (visit, { uses, expires_in, note }) => {
      const { deps, session, context } = visit
      const invitation = { createdBy: session.userId, uses, expiresIn: lifetimes[expires_in], note }
      const { id, code } = await createInvitation(deps, invitation)
      deps.log('invitation_made', { id: context.id, invitation: id, by: session.userId })
      return shownOnce(
        visit.t.invitations.newTitle,
        secretToCopy(visit.t.invitations.share, 'link', `${deps.config.baseUrl}/invitations/${code}`),
        html`<a href="${visit.basePath}/admin/invitations">${visit.t.invitations.back}</a>`,
      )
    },
  }),
  ...defineForm({
    path: '/admin/invitations/:id/withdraw',
    access: administrator,
    fields: {},
    button: (t) => t.invitations.withdrawButton,
    isDestructive: true,
    show: async (visit, form) => {
      const id = pathId(visit)
      const invitation = (await listInvitations(visit.deps.read)).find((one) => one.id === id)
      if (invitation === undefined) throw pageNotFound()
      return confirmation(visit, form, {
        title: (t) => t.invitations.withdrawTitle(nameOf(invitation)),
        text: (t) => t.invitations.withdrawExplained,
        back: '/admin/invitations',
      })
    },
    submit: async (visit) => {
      const { deps, context, session } = visit
      const id = pathId(visit)
      if (!(await withdrawInvitation(deps, id))) throw pageNotFound()
      deps.log('invitation_withdrawn', { id: context.id, invitation: id, by: session.userId })
      return seeOther(visit, '/admin/invitations')
    },
  }),
]

function closedNotice({ deps, t }: MemberVisit): Markup | '' {
  if (deps.config.registration !== 'closed') return ''
  return html`<p class="notice">${t.invitations.closed}</p>`
}

function invitationTable(visit: MemberVisit, invitations: readonly Invitation[]): Markup | '' {
  const { t } = visit
  if (invitations.length === 0) return ''
  const link = (one: Invitation) =>
    dangerLink(visit, `/admin/invitations/${one.id}/withdraw`, t.invitations.withdraw, nameOf(one))
  return table(invitations, [
    [t.invitations.note, nameOf],
    [t.invitations.createdBy, ({ username }) => username ?? t.invitations.commandLine],
    [t.invitations.used, ({ used_count }) => used_count],
    [t.invitations.left, ({ uses_left }) => uses_left],
    [t.common.expires, ({ expires_at }) => moment(visit, expires_at, t.common.never)],
    ['', link],
  ])
}
