import type { TokenScope } from '../../accounts/token'
import { html, type Markup } from '../../pages/html'
import type { Look } from '../../pages/layout'
import { namesIn } from '../scope'

export const scopeSentences = ({ t }: Look, scope: TokenScope): Markup => html`
  <p>${t.consent.mayDo}</p>
  <ul>${namesIn(scope).map((name) => html`<li>${t.mayDo[name]}</li>`)}</ul>
  <p>${t.consent.noExpiry}</p>`

export const decisionButtons = ({ t }: Look): Markup => html`
  <button name="decision" value="approve">${t.consent.allow}</button>
  <button name="decision" value="deny" class="plain">${t.consent.deny}</button>`
