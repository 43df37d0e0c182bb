import { type RatingState, ratingStates } from '../../library/ratings'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'

/** Four faces as radio buttons, none selected by default; `name` is the field's. */
export const ratingFaces = (
  pageContext: PageContext,
  chosen = '',
  { takesFocus = false } = {},
): Markup => html`<fieldset class="faces">
    <legend>${pageContext.t.ratings.title}</legend>
    ${[...ratingStates]
      .reverse()
      .map(
        (state, at) =>
          html`<label class="face ${state}"><input type="radio" name="rating_state" value="${state}"${
            state === chosen ? html` checked` : ''
          }${takesFocus && at === 0 ? html` autofocus` : ''} />${icon(state, 28)}<span>${ratingText(pageContext, state)}</span></label>`,
      )}
  </fieldset>`

/** In the format that the reader chose: `Great`, `★5` or `10/10`. */
export function ratingText({ t, preferences }: PageContext, state: RatingState): string {
  const shown = { words: t.ratings[state], stars: `★${stars[state]}`, ten: `${stars[state] * 2}/10` }
  return shown[preferences.ratingDisplay]
}

/** In the middle of each state's range (D33). */
const stars: Readonly<Record<RatingState, number>> = { bad: 2, average: 3, good: 4, great: 5 }

/** Face and word or number; empty without a rating. `spriteIcon` needs `sprite('great', 'good', 'average', 'bad')`. */
export const ratingMark = (pageContext: PageContext, state: string | null, draw = icon): Markup =>
  isState(pageContext.t.ratings, state)
    ? html`<span class="rated">${draw(state, 16)}${ratingText(pageContext, state)}</span>`
    : html``

const isState = (words: object, state: string | null): state is RatingState =>
  state !== null && state !== 'title' && state in words
