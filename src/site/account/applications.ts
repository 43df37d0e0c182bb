import { endAccess } from '../../oauth/clients/end-access'
import { type GrantedApplication, listGrantedApplications } from '../../oauth/clients/granted-applications'
import { html, type Markup } from '../../pages/html'
import { moment } from '../../pages/moment'
import { table } from '../../pages/table'
import { defineForm } from '../../web/form'
import { definePage, member, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'
import { confirmation, dangerLink } from '../confirmation'

export const connectedApplications: readonly PageRoute[] = [
  // The applications that have access to the account (AP-06).
  definePage({
    path: '/settings/applications',
    access: member,
    show: async (visit) => {
      const { deps, session, t, basePath } = visit
      const granted = await listGrantedApplications(deps.read, session.userId, deps.now())
      const title = t.connected.title
      return {
        title,
        main: html`
        <h1>${title}</h1>
        ${granted.length === 0 ? html`<p>${t.connected.none}</p>` : grantedTable(visit, granted)}
        <p><a href="${basePath}/settings/tokens">${t.tokens.title}</a></p>
        <p><a href="${basePath}/oauth/applications">${t.applications.title}</a></p>`,
      }
    },
  }),
  ...defineForm({
    path: '/settings/applications/:id/revoke',
    access: member,
    fields: {},
    button: (t) => t.connected.revokeButton,
    isDestructive: true,
    show: async (visit, form) => {
      const { deps, session } = visit
      const id = pathId(visit)
      const granted = await listGrantedApplications(deps.read, session.userId, deps.now())
      const application = granted.find((one) => one.id === id)
      if (application === undefined) throw pageNotFound()
      return confirmation(visit, form, {
        title: (t) => t.connected.revokeTitle(application.name),
        text: (t) => t.connected.revokeExplained,
        back: '/settings/applications',
      })
    },
    submit: async (visit) => {
      const { deps, session, context } = visit
      const applicationId = pathId(visit)
      const access = { applicationId, userId: session.userId }
      if ((await deps.write((tx) => endAccess(tx, access))) === 0) throw pageNotFound()
      deps.log('access_revoked', { id: context.id, user: session.userId, application_id: applicationId })
      return seeOther(visit, '/settings/applications')
    },
  }),
]

function grantedTable(visit: MemberVisit, granted: readonly GrantedApplication[]): Markup {
  const { t } = visit
  return table(granted, [
    [t.connected.application, ({ name }) => name],
    [t.common.registeredBy, ({ owner }) => owner],
    [t.common.scope, ({ scope }) => html`<code>${scope}</code>`],
    [t.connected.since, ({ since }) => moment(visit, since)],
    [t.common.lastUsed, ({ lastUsedAt }) => moment(visit, lastUsedAt, t.common.never)],
    ['', ({ id, name }) => dangerLink(visit, `/settings/applications/${id}/revoke`, t.common.revoke, name)],
  ])
}
