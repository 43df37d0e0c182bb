import type { RatingState } from '../../library/ratings'
import { html, type Markup } from '../../pages/html'
import { icon, spriteIcon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'

/** Face and word; nothing without a rating. */
export const ratingMark = ({ t }: PageContext, state: string | null): Markup =>
  isState(t.ratings, state) ? html`<span class="rated">${icon(state, 16)}${t.ratings[state]}</span>` : html``

/** The same with `sprite('great', 'good', 'average', 'bad')` in the page. */
export const ratingMarkOfSprite = ({ t }: PageContext, state: string | null): Markup =>
  isState(t.ratings, state)
    ? html`<span class="rated">${spriteIcon(state, 16)}${t.ratings[state]}</span>`
    : html``

const isState = (words: object, state: string | null): state is RatingState =>
  state !== null && state !== 'title' && state in words
