import { html } from '../../pages/html'
import { administrator } from '../../web/access'
import { definePage } from '../../web/page'

export const admin = definePage({
  path: '/admin',
  access: administrator,
  show: ({ deps, pageContext: { t, basePath } }) => {
    const title = t.admin.title
    const { registration } = deps.config
    return {
      title,
      main: html`
        <h1>${title}</h1>
        <ul>
          <li><a href="${basePath}/admin/users">${t.users.title}</a></li>
          <li><a href="${basePath}/admin/invitations">${t.invitations.title}</a></li>
        </ul>
        <dl>
          <dt>${t.admin.registration}</dt>
          <dd>${t.registrations[registration]} (<code>--registration ${registration}</code>)</dd>
          <dt>${t.admin.mail}</dt>
          <dd>
            ${deps.mail === undefined ? t.admin.mailIsOff : t.admin.mailIsOn}
          </dd>
        </dl>`,
    }
  },
})
