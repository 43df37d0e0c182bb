import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { returnPath } from '../../web/return-to'
import { queryText, type Visit } from '../../web/visit'

/** Whether to leave out texts about what the reader has not seen; `?spoilers=show` shows them. */
export const guardsSpoilers = (visit: Visit): boolean =>
  visit.preferences.guardsSpoilers && queryText(visit, 'spoilers') !== 'show'

export function spoilerFold(visit: Visit, said: string, hint: string): Markup {
  const { t, basePath } = visit
  const path = returnPath(visit)
  const target = `${basePath}${path}${path.includes('?') ? '&' : '?'}spoilers=show#opinions`
  return html`<div class="fold">${icon('eye')}<span class="text"><b>${said}</b><small>${hint}</small></span>
    <a class="button small" href="${target}">${t.work.showSpoilers}</a></div>`
}
