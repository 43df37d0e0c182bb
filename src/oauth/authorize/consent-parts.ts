import type { TokenScope } from '../../accounts/token'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { namesIn } from '../scope'

/** What an application will be able to do, and for how long (AZ-24). */
export const whatItMay = ({ t }: PageContext, scope: TokenScope): Markup => html`
  <p>${t.consent.mayDo}</p>
  <ul>${namesIn(scope).map((name) => html`<li>${t.mayDo[name]}</li>`)}</ul>
  <p>${t.consent.noExpiry}</p>`

/** The two ways out of a page of consent. */
export const decisionButtons = ({ t }: PageContext): Markup => html`
  <button name="decision" value="approve">${t.consent.allow}</button>
  <button name="decision" value="deny" class="plain">${t.consent.deny}</button>`
