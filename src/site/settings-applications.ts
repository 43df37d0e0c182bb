import { words } from '../lib/words'
import { endAccess } from '../oauth/end-access'
import { type GrantedApplication, listGrantedApplications } from '../oauth/granted-applications'
import { html, type Markup } from '../pages/html'
import { moment } from '../pages/moment'
import { table } from '../pages/table'
import { member } from '../web/access'
import { defineForm } from '../web/form'
import { definePage, seeOther } from '../web/page'
import { pathId } from '../web/path-id'
import { pageNotFound } from '../web/problem'
import type { MemberVisit } from '../web/visit'
import { confirmation, dangerLink } from './confirmation'

/** GET /settings/applications: the applications that whoever is signed in gave access to (AP-06). */
export const settingsApplications = definePage({
  path: '/settings/applications',
  access: member,
  show: async (visit) => {
    const { deps, session, look } = visit
    const { say, basePath } = look
    const granted = await listGrantedApplications(deps.read, session.userId, deps.now())
    const title = say('Applications you gave access to', '許可したアプリケーション')
    return {
      title,
      main: html`
        <h1>${title}</h1>
        ${granted.length === 0 ? html`<p>${say('There is none.', 'ありません。')}</p>` : grantedTable(visit, granted)}
        <p><a href="${basePath}/settings/tokens">${say('Access tokens', 'アクセストークン')}</a></p>
        <p><a href="${basePath}/oauth/applications">${say('Your applications', '自分のアプリケーション')}</a></p>`,
    }
  },
})

/** GET and POST /settings/applications/:id/revoke */
export const revokeGrant = defineForm({
  path: '/settings/applications/:id/revoke',
  access: member,
  fields: {},
  button: words('Revoke its access', 'アクセスを取り消す'),
  isDestructive: true,
  show: async (visit, form) => {
    const { deps, session } = visit
    const id = pathId(visit)
    const granted = await listGrantedApplications(deps.read, session.userId, deps.now())
    const application = granted.find((one) => one.id === id)
    if (application === undefined) throw pageNotFound()
    return confirmation(visit, form, {
      title: words(
        `Revoke the access of ${application.name}?`,
        `${application.name} のアクセスを取り消しますか？`,
      ),
      text: words(
        'It loses access to your account on all your devices until you allow it again.',
        'もう一度許可するまで、すべての端末で、このアプリケーションはあなたの名前で何もできなくなります。',
      ),
      back: '/settings/applications',
    })
  },
  submit: async (visit) => {
    const { deps, session, arrival } = visit
    const applicationId = pathId(visit)
    const access = { applicationId, userId: session.userId }
    if ((await deps.write((tx) => endAccess(tx, access))) === 0) throw pageNotFound()
    deps.log('access_revoked', { id: arrival.id, user: session.userId, application_id: applicationId })
    return seeOther(visit, '/settings/applications')
  },
})

function grantedTable(visit: MemberVisit, granted: readonly GrantedApplication[]): Markup {
  const { say } = visit.look
  const heads = [
    say('Application', 'アプリケーション'),
    say('Of', '登録者'),
    say('Scope', 'スコープ'),
    say('Since', '許可した日時'),
    say('Last used', '最終利用'),
    '',
  ]
  return table(
    heads,
    granted.map((application) => grantedRow(visit, application)),
  )
}

function grantedRow(visit: MemberVisit, application: GrantedApplication) {
  const { say } = visit.look
  return [
    application.name,
    application.owner,
    html`<code>${application.scope}</code>`,
    moment(visit.look, application.since),
    moment(visit.look, application.lastUsedAt, say('Never', 'なし')),
    dangerLink(
      visit,
      `/settings/applications/${application.id}/revoke`,
      say('Revoke', '取り消す'),
      application.name,
    ),
  ]
}
