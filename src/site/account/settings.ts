import { html, type Markup } from '../../pages/html'
import { member } from '../../web/access'
import { definePage } from '../../web/page'
import type { MemberVisit } from '../../web/visit'
import { dangerZone } from '../confirmation'

export const settings = definePage({
  path: '/settings',
  access: member,
  show: (visit) => {
    const { t } = visit.pageContext
    const link = linkIn(visit)
    const title = t.settings.title
    return {
      title,
      main: html`
        <h1>${title}</h1>
        <h2>${t.settings.you}</h2>
        <ul>
          ${link('/settings/profile', t.profile.title)}
          ${link('/settings/email', t.account.email)}
          ${link('/language', t.language.title)}
        </ul>
        <h2>${t.settings.signIn}</h2>
        <ul>
          ${link('/settings/password', t.account.password)}
          ${link('/settings/two_step', t.twoStep.title)}
          ${link('/settings/sessions', t.sessions.title)}
        </ul>
        <h2>${t.settings.applications}</h2>
        <ul>
          ${link('/settings/applications', t.connected.title)}
          ${link('/settings/tokens', t.tokens.title)}
          ${link('/oauth/applications', t.applications.title)}
        </ul>
        <h2>${t.settings.data}</h2>
        <ul>
          ${link('/settings/data', t.data.title)}
          ${link('/settings/history', t.history.title)}
        </ul>
        ${dangerZone(
          t.settings.leave,
          html`<p><a class="danger" href="${visit.pageContext.basePath}/settings/delete_account">${t.deleteAccount.title}</a></p>`,
        )}`,
    }
  },
})

const linkIn =
  ({ pageContext: { basePath } }: MemberVisit) =>
  (path: string, label: string): Markup =>
    html`<li><a href="${basePath}${path}">${label}</a></li>`
