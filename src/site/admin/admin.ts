import { lastBackup } from '../../backup/last-backup'
import { type CheckResult, readLastCheck } from '../../db/health/last-check'
import type { Deps } from '../../deps'
import { choiceList } from '../../pages/choices'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { moment } from '../../pages/moment'
import { administrator, definePage } from '../../web/page'

export const admin = definePage({
  path: '/admin',
  access: administrator,
  show: (visit) => {
    const { deps, t } = visit
    const title = t.admin.title
    const { registration } = deps.config
    return {
      title,
      main: html`
        <h1>${title}</h1>
        ${choiceList(visit, t.admin.accounts, [
          { path: '/admin/users', name: t.users.title },
          { path: '/admin/invitations', name: t.invitations.title },
        ])}
        ${choiceList(visit, t.catalogue.title, [{ path: '/admin/catalogue', name: t.catalogue.entry }])}
        <h2 class="choices-head">${t.admin.server}</h2>
        <dl>
          <dt>${t.admin.registration}</dt>
          <dd>${t.registrations[registration]} (<code>--registration ${registration}</code>)</dd>
          <dt>${t.admin.mail}</dt>
          <dd>
            ${deps.mail === undefined ? t.admin.mailIsOff : t.admin.mailIsOn}
          </dd>
          <dt>${t.damage.title}</dt>
          <dd>${checkTold(readLastCheck(deps.config.data), visit)}</dd>
          ${backupRows(visit, deps)}
        </dl>`,
    }
  },
})

function checkTold(last: CheckResult | undefined, reader: PageContext) {
  const { t } = reader
  if (last === undefined) return t.damage.none
  return html`${t.damage.outcomes[last.outcome]} (${moment(reader, Date.parse(last.at))})`
}

/** What `/readyz` says about backups, in words. */
function backupRows(pageContext: PageContext, { config, now }: Pick<Deps, 'config' | 'now'>): Markup {
  const { t } = pageContext
  const { madeAt = null, verifiedAt = null, failed } = lastBackup(config.data, now())
  const none = config.backupEvery === null ? t.backups.isOff : t.backups.none
  return html`<dt>${t.backups.title}</dt>
    <dd>${moment(pageContext, madeAt, none)}</dd>
    ${failed === undefined ? '' : html`<dd>${t.backups.failed}</dd>`}
    ${
      verifiedAt === null
        ? ''
        : html`<dt>${t.backups.verified}</dt>
            <dd>${moment(pageContext, verifiedAt)}</dd>`
    }`
}
