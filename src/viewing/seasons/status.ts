import { html, type Markup } from '../../pages/html'
import { chosenTitle } from '../../pages/title'
import { returnTarget } from '../../web/return-to'
import type { Visit } from '../../web/visit'
import { workPath } from '../parts/cover'
import { statusButton, statusMark } from '../parts/status'
import type { SeasonWork } from './queries'

/** One press plans a work; a status is changed in a dialog, because a menu per card would double the page's size. */
export function ownStatus(visit: Visit, work: SeasonWork): Markup | '' {
  const { session, t } = visit
  if (session === undefined) return ''
  const { id, kind } = work
  const title = chosenTitle(visit, work).text
  if (kind === null)
    return statusButton(visit, { workId: id, title, kind: 'wanna_watch', swap: `#row-${id}, #filters` })
  const name = t.statuses.setTo(title, t.statuses[kind])
  const path = `${workPath(visit, id)}/status?return_to=${returnTarget(visit)}`
  return html`<a class="chosen-status" href="${path}" data-dialog data-focus="wanna_watch-${id}" aria-label="${name}">${statusMark(t, kind)}</a>`
}
