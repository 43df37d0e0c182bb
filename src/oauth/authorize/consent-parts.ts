import type { TokenScope } from '../../accounts/token'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { namesIn } from '../scope'

export const scopeSentences = ({ t }: PageContext, scope: TokenScope): Markup => html`
  <p>${t.consent.mayDo}</p>
  <ul>${namesIn(scope).map((name) => html`<li>${t.mayDo[name]}</li>`)}</ul>
  <p>${t.consent.noExpiry}</p>`

export const decisionButtons = ({ t }: PageContext): Markup => html`
  <button name="decision" value="approve" class="filled">${t.consent.allow}</button>
  <button name="decision" value="deny">${t.consent.deny}</button>`
