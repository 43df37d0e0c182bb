import type { Session } from '../../accounts/sign-in/session'
import type { TokenScope } from '../../accounts/token'
import { assetPath } from '../../pages/assets'
import { avatar, userAvatar } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'
import { namesIn } from '../scope'

/** The application next to this instance, and the question. Anybody may have chosen the name, so it is isolated. */
export const consentHead = ({ t, basePath }: PageContext, name: string): Markup => html`
  <div class="tiles" aria-hidden="true">
    ${avatar(name)}${icon('swap')}<img src="${basePath}${assetPath('icon.svg')}" alt="" width="48" height="48" />
  </div>
  <h1>${t.consent.beforeName}<bdi>${name}</bdi>${t.consent.afterName}</h1>`

export const scopeSentences = ({ t }: PageContext, scope: TokenScope): Markup => html`
  <p class="unseen">${t.consent.mayDo}</p>
  <ul class="rights">
    ${namesIn(scope).map((name) => html`<li>${icon(name === 'read' ? 'eye' : 'pen')}<strong>${t.mayDo[name]}</strong></li>`)}
    <li class="soft">${icon('close')}${t.consent.cannot}</li>
  </ul>`

export const decisionButtons = ({ t }: PageContext): Markup => html`
  <button name="decision" value="deny">${t.consent.deny}</button>
  <button name="decision" value="approve" class="filled">${t.consent.allow}</button>`

export const signedInAs = (
  pageContext: PageContext,
  { username, avatarUrl: avatar_url }: Session,
): Markup => html`
  <hr />
  <p class="signed-in">${userAvatar(pageContext, { username, avatar_url }, 28)}${pageContext.t.consent.signedInAs(username)}</p>
  <p class="meta">${pageContext.t.consent.noExpiry}</p>`
