import type { LastBackup } from '../../backup/last-backup'
import { timeOf } from '../../backup/names'
import { readNotes } from '../../backup/notes'
import { html, type Markup } from '../../pages/html'
import { day, moment } from '../../pages/moment'
import type { MemberVisit } from '../../web/visit'
import { bytesText } from './admin'

/** How old the newest backup is, and the sizes of the last ones. */
export function backupCard(visit: MemberVisit, { madeAt, verifiedAt, bytes, failed }: LastBackup): Markup {
  const { deps, t } = visit
  const { backupEvery } = deps.config
  const hours = Math.round((backupEvery ?? 0) / 3_600_000)
  const often = hours === 24 ? t.admin.daily : t.admin.everyHours(hours)
  const isOld = madeAt === undefined || deps.now() - madeAt > 2 * 86_400_000
  const size = bytes === undefined ? [] : [bytesText(visit, bytes)]
  const facts = [...size, ...(verifiedAt === undefined ? [] : [t.admin.verified])].join(' · ')
  const why = isOld || failed ? html`<p class="meta">${t.admin.backupOld}</p>` : ''
  return html`<aside class="box backup-card"><div class="head"><h2>${t.admin.backups}</h2><span class="meta">${backupEvery === null ? t.common.off : often}</span></div>
    <p class="age${isOld ? ' wrong' : ''}">${madeAt === undefined ? t.backups.none : moment(visit, madeAt)}</p>
    ${facts === '' ? '' : html`<p class="meta">${facts}</p>`}
    ${sizes(visit)}${why}
    <p class="meta">${t.admin.backUpNow} <code>kiroku backup create</code></p></aside>`
}

const mostBars = 14

/** A bar per backup, as high as it is large: a sudden change is worth a look. */
function sizes(visit: MemberVisit): Markup {
  const known = Object.entries(readNotes(visit.deps.config.data).backups)
    .flatMap(([name, { bytes }]) => {
      const at = timeOf(name)
      return at === undefined ? [] : [{ at, bytes }]
    })
    .sort((one, other) => one.at - other.at)
    .slice(-mostBars)
  const [first, last] = [known.at(0), known.at(-1)]
  if (known.length < 2 || first === undefined || last === undefined) return html``
  const largest = Math.max(...known.map(({ bytes }) => bytes))
  const bars = known.map(({ bytes }, at) => {
    const height = Math.max(2, Math.round((bytes / largest) * 56))
    return html`<rect x="${at * 18}" y="${56 - height}" width="15" height="${height}" rx="2"${at === known.length - 1 ? html` class="newest"` : ''}/>`
  })
  const told = visit.t.admin.sizes(known.length, bytesText(visit, largest))
  return html`<svg class="sizes" viewBox="0 0 ${known.length * 18 - 3} 56" role="img" aria-label="${told}">${bars}</svg>
    <p class="meta ends"><span>${day(visit, first.at)}</span><span>${day(visit, last.at)}</span></p>`
}
