import { html, type Markup } from '../../pages/html'
import type { MemberVisit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { cardTitle } from '../parts/card-title'
import { cover } from '../parts/cover'
import type { OfferedWork } from './queries'

/** Its one button covers the card: a press adds the work as watching, the next one takes that back. */
export function pickCard(visit: MemberVisit, work: OfferedWork): Markup {
  const { pageContext } = visit
  const { id, kind } = work
  const { text, lang, lines } = cardTitle(pageContext, work)
  const isPicked = kind === 'watching'
  const { watching } = pageContext.t.statuses
  const name = pageContext.t.statuses.setTo(text, watching)
  const form = { act: 'status', path: '/status', fields: { work_id: id }, swap: `#row-${id},#picked` }
  const button = html`<button name="kind" value="${isPicked ? 'no_select' : 'watching'}" data-focus="pick-${id}" aria-pressed="${String(isPicked)}" aria-label="${name}">${watching}</button>`
  return html`<li class="card${isPicked ? ' picked' : ''}" id="row-${id}" data-work="${id}">${cover(pageContext, work)}<span class="name" lang="${lang}">${lines}</span>${actForm(visit, form, button)}</li>
`
}
