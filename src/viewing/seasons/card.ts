import { html, type Markup } from '../../pages/html'
import type { Visit } from '../../web/visit'
import { cardTitle } from '../parts/card-title'
import { cover, workPath } from '../parts/cover'
import type { SeasonWork } from './queries'
import { ownStatus } from './status'

export function seasonCard(visit: Visit, work: SeasonWork): Markup {
  const { pageContext } = visit
  const { id, kind } = work
  const { lang, lines } = cardTitle(pageContext, work)
  return html`<li class="card${kind === null ? '' : ' dimmed'}" id="row-${id}" data-work="${id}">${cover(pageContext, work, 160)}<a class="name" href="${workPath(pageContext, id)}" lang="${lang}">${lines}</a>${ownStatus(visit, work)}</li>
`
}
