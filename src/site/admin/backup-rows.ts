import { lastBackup } from '../../backup/last-backup'
import type { Deps } from '../../deps'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { moment } from '../../pages/moment'

/** What `/readyz` tells of backups, for people. */
export function backupRows(pageContext: PageContext, { config }: Pick<Deps, 'config'>): Markup {
  const { t } = pageContext
  const { madeAt = null, verifiedAt = null, failed } = lastBackup(config.data)
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
