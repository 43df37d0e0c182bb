import { type CheckResult, readLastCheck } from '../../db/health/last-check'
import { choiceList } from '../../pages/choices'
import { html } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { moment } from '../../pages/moment'
import { administrator } from '../../web/access'
import { definePage } from '../../web/page'
import { backupRows } from './backup-rows'

export const admin = definePage({
  path: '/admin',
  access: administrator,
  show: ({ deps, pageContext }) => {
    const { t } = pageContext
    const title = t.admin.title
    const { registration } = deps.config
    return {
      title,
      main: html`
        <h1>${title}</h1>
        ${choiceList(pageContext, t.admin.accounts, [
          { path: '/admin/users', name: t.users.title },
          { path: '/admin/invitations', name: t.invitations.title },
        ])}
        ${choiceList(pageContext, t.catalogue.title, [{ path: '/admin/catalogue', name: t.catalogue.entry }])}
        <h2 class="choices-head">${t.admin.server}</h2>
        <dl>
          <dt>${t.admin.registration}</dt>
          <dd>${t.registrations[registration]} (<code>--registration ${registration}</code>)</dd>
          <dt>${t.admin.mail}</dt>
          <dd>
            ${deps.mail === undefined ? t.admin.mailIsOff : t.admin.mailIsOn}
          </dd>
          <dt>${t.damage.title}</dt>
          <dd>${checkTold(readLastCheck(deps.config.data), pageContext)}</dd>
          ${backupRows(pageContext, deps)}
        </dl>`,
    }
  },
})

function checkTold(last: CheckResult | undefined, reader: PageContext) {
  const { t } = reader
  if (last === undefined) return t.damage.none
  return html`${t.damage.outcomes[last.outcome]} (${moment(reader, Date.parse(last.at))})`
}
