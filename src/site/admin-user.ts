import type { UserRow } from '../accounts/user-rows'
import { html, type Markup } from '../pages/html'
import { day } from '../pages/moment'
import { administrator } from '../web/access'
import { buttonForm } from '../web/form-markup'
import { definePage } from '../web/page'
import type { MemberVisit } from '../web/visit'
import { adminUsersPath, standingOf, userIn } from './admin-users'
import { dangerZone } from './confirmation'

/** GET /admin/users/:id: a user, and what an administrator can do about the account. */
export const adminUser = definePage({
  path: `${adminUsersPath}/:id`,
  access: administrator,
  show: async (visit) => {
    const { look, session } = visit
    const { say, basePath } = look
    const user = await userIn(visit)
    return {
      title: user.username,
      main: html`
        <h1>${user.username}</h1>
        <dl>
          <dt>${say('Name', '名前')}</dt><dd>${user.name}</dd>
          <dt>${say('E-mail address', 'メールアドレス')}</dt><dd>${user.email}</dd>
          <dt>${say('Since', '登録日')}</dt><dd>${day(look, user.created_at)}</dd>
          <dt>${say('Standing', '状態')}</dt><dd>${standingOf(look, user)}</dd>
        </dl>
        ${user.id === session.userId ? ownAccount(visit) : actions(visit, user)}
        <p><a href="${basePath}${adminUsersPath}">${say('All users', 'ユーザー一覧')}</a></p>
        ${user.id === session.userId || user.disabled_at !== null ? '' : disabling(visit, user)}`,
    }
  },
})

/** Nobody takes rights from themselves by a slip. */
const ownAccount = ({ look: { say } }: MemberVisit): Markup => html`
  <p class="notice">${say(
    'This is your own account. Only another administrator can disable it or take the role away.',
    'これはあなた自身のアカウントです。停止したり管理者から外したりできるのは、ほかの管理者だけです。',
  )}</p>`

function actions(visit: MemberVisit, { id, is_admin, disabled_at }: UserRow): Markup {
  const { say, basePath } = visit.look
  const path = `${adminUsersPath}/${id}`
  if (disabled_at !== null)
    return buttonForm(visit, `${path}/enable`, say('Enable the account', 'アカウントの停止を解除'))
  const link = (change: string, label: string) =>
    html`<li><a href="${basePath}${path}/${change}">${label}</a></li>`
  return html`<ul>
    ${link('reset_password', say('Make a link for a new password', 'パスワード再設定リンクを作成'))}
    ${
      is_admin === 1
        ? link('demote', say('Make an ordinary user', '管理者から外す'))
        : link('promote', say('Make an administrator', '管理者にする'))
    }
  </ul>`
}

const disabling = ({ look: { say, basePath } }: MemberVisit, { id }: UserRow): Markup =>
  dangerZone(
    say('End access', 'アクセスの停止'),
    html`<p><a class="danger" href="${basePath}${adminUsersPath}/${id}/disable">${say('Disable the account', 'アカウントを停止')}</a></p>`,
  )
