import type { UserRow } from '../../accounts/account/user-rows'
import { html, type Markup } from '../../pages/html'
import { day } from '../../pages/moment'
import { buttonForm } from '../../web/form-markup'
import { administrator, definePage } from '../../web/page'
import type { MemberVisit } from '../../web/visit'
import { dangerZone } from '../confirmation'
import { adminUsersPath, standingOf, userIn } from './users'

export const adminUser = definePage({
  path: `${adminUsersPath}/:id`,
  access: administrator,
  show: async (visit) => {
    const { session, t, basePath } = visit
    const user = await userIn(visit)
    return {
      title: user.username,
      main: html`
        <h1>${user.username}</h1>
        <dl>
          <dt>${t.common.name}</dt><dd>${user.name}</dd>
          <dt>${t.account.email}</dt><dd>${user.email}</dd>
          <dt>${t.users.joined}</dt><dd>${day(visit, user.created_at)}</dd>
          <dt>${t.users.status}</dt><dd>${standingOf(visit, user)}</dd>
        </dl>
        ${user.id === session.userId ? ownAccount(visit) : actions(visit, user)}
        <p><a href="${basePath}${adminUsersPath}">${t.users.back}</a></p>
        ${user.id === session.userId || user.disabled_at !== null ? '' : disableSection(visit, user)}`,
    }
  },
})

const ownAccount = ({ t }: MemberVisit): Markup => html`
  <p class="notice">${t.users.ownNotice}</p>`

function actions(visit: MemberVisit, { id, is_admin, disabled_at }: UserRow): Markup {
  const { t, basePath } = visit
  const path = `${adminUsersPath}/${id}`
  if (disabled_at !== null) return buttonForm(visit, `${path}/enable`, t.users.enable)
  const link = (change: string, label: string) =>
    html`<li><a href="${basePath}${path}/${change}">${label}</a></li>`
  return html`<ul>
    ${link('reset_password', t.users.resetPassword)}
    ${is_admin === 1 ? link('demote', t.users.demote) : link('promote', t.users.promote)}
  </ul>`
}

const disableSection = ({ t, basePath }: MemberVisit, { id }: UserRow): Markup =>
  dangerZone(
    t.common.endAccess,
    html`<p><a class="danger" href="${basePath}${adminUsersPath}/${id}/disable">${t.users.disable}</a></p>`,
  )
