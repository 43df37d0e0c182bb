import { endAccess } from '../oauth/end-access'
import { listGrants } from '../oauth/granted-applications'
import { html, type Markup } from '../pages/html'
import { moment } from '../pages/moment'
import { member } from '../web/access'
import { defineAction } from '../web/form'
import { buttonForm } from '../web/form-markup'
import { definePage, seeOther } from '../web/page'
import { pathId } from '../web/path-id'
import { pageNotFound } from '../web/problem'
import type { MemberVisit } from '../web/visit'

/** GET /settings/applications: the applications that whoever is signed in gave access to (AP-06). */
export const settingsApplications = definePage({
  path: '/settings/applications',
  access: member,
  show: async (visit) => {
    const { deps, session, look } = visit
    const { say, basePath } = look
    const grants = await listGrants(deps.read, session.userId, deps.now())
    const title = say('Applications you gave access to', '許可したアプリケーション')
    return {
      title,
      main: html`
        <h1>${title}</h1>
        ${grants.length === 0 ? html`<p>${say('There is none.', 'ありません。')}</p>` : grantTable(visit, grants)}
        <p><a href="${basePath}/settings/tokens">${say('Access tokens', 'アクセストークン')}</a></p>
        <p><a href="${basePath}/oauth/applications">${say('Your applications', '自分のアプリケーション')}</a></p>`,
    }
  },
})

/** POST /settings/applications/:id/revoke */
export const revokeGrant = defineAction({
  path: '/settings/applications/:id/revoke',
  access: member,
  run: async (visit) => {
    const { deps, session, arrival } = visit
    const applicationId = pathId(visit)
    const access = { applicationId, userId: session.userId }
    if ((await deps.write((tx) => endAccess(tx, access))) === 0) throw pageNotFound()
    deps.log('access_revoked', { id: arrival.id, user: session.userId, application_id: applicationId })
    return seeOther(visit, '/settings/applications')
  },
})

type Grants = Awaited<ReturnType<typeof listGrants>>

const grantTable = (visit: MemberVisit, grants: Grants): Markup => html`
  <div class="scroll"><table>
    <thead><tr>
      <th scope="col">${visit.look.say('Application', 'アプリケーション')}</th>
      <th scope="col">${visit.look.say('Of', '登録者')}</th>
      <th scope="col">${visit.look.say('Scope', 'スコープ')}</th>
      <th scope="col">${visit.look.say('Since', '許可した日時')}</th>
      <th scope="col">${visit.look.say('Last used', '最終利用')}</th>
      <td></td>
    </tr></thead>
    <tbody>${grants.map((grant) => grantRow(visit, grant))}</tbody>
  </table></div>`

function grantRow(visit: MemberVisit, grant: Grants[number]): Markup {
  const { say } = visit.look
  return html`<tr>
    <th scope="row">${grant.name}</th>
    <td>${grant.owner}</td>
    <td><code>${grant.scope}</code></td>
    <td>${moment(grant.since)}</td>
    <td>${moment(grant.lastUsedAt, say('never', 'なし'))}</td>
    <td>${buttonForm(visit, `/settings/applications/${grant.id}/revoke`, say('Revoke', '取り消す'), 'danger')}</td>
  </tr>`
}
