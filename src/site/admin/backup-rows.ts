import { lastBackup } from '../../backup/last-backup'
import type { Deps } from '../../deps'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { moment } from '../../pages/moment'

/** What `/readyz` tells of backups, for people. */
export function backupRows(pageContext: PageContext, { config }: Pick<Deps, 'config'>): Markup {
  const { backups } = pageContext.t
  const { madeAt = null, verifiedAt = null, failed } = lastBackup(config.data)
  const none = config.backupEvery === null ? backups.isOff : backups.none
  return html`<dt>${backups.title}</dt>
    <dd>${moment(pageContext, madeAt, none)}</dd>
    ${failed === undefined ? '' : html`<dd>${backups.failed}</dd>`}
    ${
      verifiedAt === null
        ? ''
        : html`<dt>${backups.verified}</dt>
            <dd>${moment(pageContext, verifiedAt)}</dd>`
    }`
}
