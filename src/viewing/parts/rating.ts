import { ratingStates } from '../../library/ratings'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'
import { ratingText } from './rating-mark'

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
