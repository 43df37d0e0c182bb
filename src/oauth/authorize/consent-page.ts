import { html, type Markup } from '../../pages/html'
import type { Look, Shown } from '../../pages/layout'
import { csrfInput } from '../../web/form-markup'
import type { MemberVisit } from '../../web/visit'
import type { AuthorizationRequest } from './authorization-request'
import { formTarget } from './client-answer'
import { decisionButtons, scopeSentences } from './consent-parts'
import { outOfBand } from './redirect-uri'

/** AZ-24 */
export function consentPage(visit: MemberVisit, asked: AuthorizationRequest, handle: string): Shown {
  const { look, session } = visit
  const { t, basePath } = look
  const { application, redirectUri, scope } = asked
  const target = formTarget(redirectUri)
  const main = html`
    <h1>${t.consent.question}</h1>
    <dl>
      <dt>${t.consent.application}</dt><dd><bdi>${application.name}</bdi></dd>
      <dt>${t.common.registeredBy}</dt><dd>${application.owner}</dd>
      <dt>${t.consent.returnsTo}</dt><dd>${destination(look, redirectUri)}</dd>
      <dt>${t.consent.yourAccount}</dt><dd>${session.username}</dd>
    </dl>
    ${scopeSentences(look, scope)}
    <p class="notice">${t.consent.onlyIfYours}</p>
    <form method="post" action="${basePath}/oauth/authorize">
      ${csrfInput(visit)}
      <input type="hidden" name="request" value="${handle}" />
      ${decisionButtons(look)}
    </form>`
  const title = t.consent.title
  return { title, main, ...(target === undefined ? {} : { formTargets: [target] }) }
}

/** The code must not be in a URL (AZ-08). */
export const codePage = ({ t }: Look, code: string): Shown => ({
  title: t.consent.code,
  main: html`
    <h1>${t.consent.code}</h1>
    <p>${t.consent.copyCode}</p>
    <p class="once"><code id="authorization_code">${code}</code></p>`,
})

function destination({ t }: Look, redirectUri: string): string | Markup {
  if (redirectUri === outOfBand) return t.consent.codeToCopy
  const { protocol, host } = new URL(redirectUri)
  if (!/^https?:$/.test(protocol)) {
    return html`${t.consent.appOnDevice} <code>${protocol}</code>`
  }
  return html`<code>${host}</code>`
}
