import { html, type Markup } from '../../pages/html'
import { actForm } from '../parts/act-form'
import type { WorkView } from './view'

/** A work that is no film but has no list: its first episode may be added (D62). */
export function unlistedEpisodes({ visit, work }: WorkView): Markup {
  const { t } = visit.pageContext
  if (work.no_episodes === 1 || visit.session === undefined) return html``
  const form = { act: 'add_episode', path: '/episodes', fields: { work_id: work.id }, swap: '#progress' }
  const add = html`<button class="link" data-focus="add-episode">${t.strip.addFirst}</button>`
  return html`<section class="episodes"><div class="below"><span>${t.strip.unlisted}</span>${actForm(visit, form, add)}</div></section>`
}
