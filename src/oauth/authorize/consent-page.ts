import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent, PageContext } from '../../pages/layout'
import { csrfInput } from '../../web/form-markup'
import type { MemberVisit } from '../../web/visit'
import type { AuthorizationRequest } from './authorization-request'
import { formTarget } from './client-answer'
import { consentHead, decisionButtons, scopeSentences, signedInAs } from './consent-parts'
import { outOfBand } from './redirect-uri'

/** AZ-24 */
export function consentPage(visit: MemberVisit, asked: AuthorizationRequest, handle: string): PageContent {
  const { session, t, basePath } = visit
  const { application, redirectUri, scope } = asked
  const target = formTarget(redirectUri)
  const main = html`
    ${consentHead(visit, application.name)}
    <p class="meta">
      ${t.common.registeredBy}${t.common.colon}${application.owner} ·
      ${t.consent.returnsTo}${t.common.colon}<strong>${destination(visit, redirectUri)}</strong>
    </p>
    <p class="note">${icon('warning')}<span class="text">${t.consent.onlyIfYours}</span></p>
    ${scopeSentences(visit, scope)}
    <form method="post" action="${basePath}/oauth/authorize" class="pair">
      ${csrfInput(visit)}
      <input type="hidden" name="request" value="${handle}" />
      ${decisionButtons(visit)}
    </form>
    ${signedInAs(visit, session)}`
  const title = t.consent.title
  return { title, main, isBare: true, ...(target === undefined ? {} : { formTargets: [target] }) }
}

/** The code must not be in a URL (AZ-08). */
export const codePage = ({ t }: PageContext, code: string): PageContent => ({
  title: t.consent.code,
  isBare: true,
  main: html`
    <h1>${t.consent.code}</h1>
    <p>${t.consent.copyCode}</p>
    <p class="once"><code id="authorization_code">${code}</code></p>`,
})

function destination({ t }: PageContext, redirectUri: string): string | Markup {
  if (redirectUri === outOfBand) return t.consent.codeToCopy
  const { protocol, host } = new URL(redirectUri)
  if (!/^https?:$/.test(protocol)) {
    return html`${t.consent.appOnDevice} <code>${protocol}</code>`
  }
  return html`<code>${host}</code>`
}
