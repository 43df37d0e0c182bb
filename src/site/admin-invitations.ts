import {
  checkNote,
  createInvitation,
  listInvitations,
  mostUses,
  readUses,
  withdrawInvitation,
} from '../accounts/invitation'
import { words } from '../lib/words'
import { html, type Markup } from '../pages/html'
import { moment } from '../pages/moment'
import { table } from '../pages/table'
import { administrator } from '../web/access'
import { checked, choice, type Field, textField, Unfit } from '../web/fields'
import { defineForm } from '../web/form'
import { seeOther } from '../web/page'
import { pathId } from '../web/path-id'
import { pageNotFound } from '../web/problem'
import type { MemberVisit } from '../web/visit'
import { confirmation, dangerLink } from './confirmation'

type Invitation = Awaited<ReturnType<typeof listInvitations>>[number]

const uses: Field<number> = {
  label: words('How many accounts it is for', '作成できるアカウントの数'),
  control: { kind: 'text', autocomplete: 'off', required: true },
  read: (text) => {
    const number = readUses(text.trim())
    if (number !== undefined) return number
    throw new Unfit(
      words(`must be a whole number from 1 to ${mostUses}`, `1～${mostUses}の整数を入力してください`),
    )
  },
}

/** What an invitation is told from others by. */
const nameOf = ({ id, note }: Invitation) => (note === '' ? `#${id}` : note)

const day = 86_400_000
const lifetimes = { '7d': 7 * day, '1d': day, '30d': 30 * day, never: undefined }

/** GET and POST /admin/invitations */
export const adminInvitations = defineForm({
  path: '/admin/invitations',
  access: administrator,
  fields: {
    uses,
    expires_in: choice({
      label: words('Good for', '有効期間'),
      options: {
        '7d': words('7 days', '7日間'),
        '1d': words('1 day', '1日'),
        '30d': words('30 days', '30日間'),
        never: words('an unlimited time', '無期限'),
      },
    }),
    note: checked(
      textField({
        label: words('Note', 'メモ'),
        hint: words(
          'To tell it from others. Only administrators see it.',
          'ほかの招待と区別するためのものです。管理者だけに表示されます。',
        ),
        limit: 100,
        optional: true,
      }),
      checkNote,
    ),
  },
  button: words('Make an invitation', '招待を作成'),
  once: true,
  initial: () => ({ uses: '1' }),
  show: async (visit, form) => {
    const title = visit.look.say('Invitations', '招待')
    const invitations = await listInvitations(visit.deps.read)
    return {
      title,
      main: html`<h1>${title}</h1>${closedNotice(visit)}${form}${invitationTable(visit, invitations)}`,
    }
  },
  submit: async (visit, { uses, expires_in, note }) => {
    const { deps, session, arrival, look } = visit
    const asked = { createdBy: session.userId, uses, expiresIn: lifetimes[expires_in], note }
    const { id, code } = await createInvitation(deps, asked)
    deps.log('invitation_made', { id: arrival.id, invitation: id, by: session.userId })
    const title = look.say('An invitation', '招待リンク')
    const explained = look.say(
      'Hand out this link. It is shown only now.',
      'このリンクを渡してください。今しか表示されません。',
    )
    return {
      title,
      main: html`<h1>${title}</h1>
        <div class="once"><p>${explained}</p><p><code id="link">${deps.config.baseUrl}/invitations/${code}</code></p></div>
        <p><a href="${look.basePath}/admin/invitations">${look.say('Back to the invitations', '招待一覧へ戻る')}</a></p>`,
    }
  },
})

/** GET and POST /admin/invitations/:id/withdraw */
export const withdraw = defineForm({
  path: '/admin/invitations/:id/withdraw',
  access: administrator,
  fields: {},
  button: words('Withdraw it', '取り消す'),
  isDestructive: true,
  show: async (visit, form) => {
    const id = pathId(visit)
    const invitation = (await listInvitations(visit.deps.read)).find((one) => one.id === id)
    if (invitation === undefined) throw pageNotFound()
    return confirmation(visit, form, {
      title: words(
        `Withdraw the invitation ${nameOf(invitation)}?`,
        `招待 ${nameOf(invitation)} を取り消しますか？`,
      ),
      text: words(
        'Its link stops working at once and cannot be made good again. Accounts that were made with it stay.',
        'リンクはすぐに使えなくなり、元には戻せません。この招待で作成されたアカウントはそのまま残ります。',
      ),
      back: '/admin/invitations',
    })
  },
  submit: async (visit) => {
    const { deps, arrival, session } = visit
    const id = pathId(visit)
    if (!(await withdrawInvitation(deps, id))) throw pageNotFound()
    deps.log('invitation_withdrawn', { id: arrival.id, invitation: id, by: session.userId })
    return seeOther(visit, '/admin/invitations')
  },
})

function closedNotice({ deps, look: { say } }: MemberVisit): Markup | '' {
  if (deps.config.registration !== 'closed') return ''
  const text = say(
    'Registration is closed: no invitation works until that changes.',
    'アカウント作成は停止中です。変更されるまで、招待は使えません。',
  )
  return html`<p class="notice">${text}</p>`
}

function invitationTable(visit: MemberVisit, invitations: readonly Invitation[]): Markup | '' {
  const { say } = visit.look
  if (invitations.length === 0) return ''
  const heads = [
    say('Note', 'メモ'),
    say('Made by', '作成者'),
    say('Used', '使用回数'),
    say('Left', '残り'),
    say('Good until', '有効期限'),
    '',
  ]
  return table(
    heads,
    invitations.map((invitation) => invitationRow(visit, invitation)),
  )
}

function invitationRow(visit: MemberVisit, invitation: Invitation) {
  const { say } = visit.look
  const { id, username, used_count, uses_left, expires_at } = invitation
  const subject = nameOf(invitation)
  return [
    subject,
    username ?? say('Command line', 'コマンドライン'),
    used_count,
    uses_left,
    moment(visit.look, expires_at, say('Unlimited', '無期限')),
    dangerLink(visit, `/admin/invitations/${id}/withdraw`, say('Withdraw', '取り消す'), subject),
  ]
}
