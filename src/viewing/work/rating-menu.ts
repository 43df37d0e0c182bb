import { ratingStates } from '../../library/ratings'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { actForm } from '../parts/act-form'
import { ratingMark, ratingText } from '../parts/rating-mark'
import { nameOf, type WorkView } from './view'

/** One's own rating of the whole: two taps. The first one of a film is given with its viewing. */
export function ratingMenu(view: WorkView): Markup {
  const { visit, work, own, progress } = view
  const { pageContext } = visit
  const { t } = pageContext
  const isSeries = progress.episodes.length > 0
  if (!isSeries && own.rating === null) return html``
  const choices = [...ratingStates].reverse().map((state, index) => {
    const key = isSeries ? html` data-keys="${index + 1}"` : ''
    return html`<button name="rating_state" value="${state}" aria-pressed="${String(state === own.rating)}"${key}>${icon(state, 16)}${ratingText(pageContext, state)}</button>`
  })
  const remove =
    own.rating === null ? '' : html`<hr /><button name="rating_state" value="">${t.ratings.remove}</button>`
  const form = { act: 'rating', path: '/rating', fields: { work_id: work.id }, swap: '#progress' }
  const word = own.rating === null ? t.ratings.choose : ratingText(pageContext, own.rating)
  const chosen = own.rating === null ? word : ratingMark(pageContext, own.rating)
  return html`<details class="menu" name="menu">
    <summary class="button small" aria-label="${word}${t.common.colon}${t.ratings.of(nameOf(view))}" data-focus="rating-${work.id}">${chosen}${icon('down', 14)}</summary>
    <div class="entries">${actForm(visit, form, html`${choices}${remove}`)}</div>
  </details>`
}
