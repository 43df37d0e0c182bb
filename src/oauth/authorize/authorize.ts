import { readQuery } from '../../http/request-values'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent, PageContext } from '../../pages/layout'
import { defineAction, formText } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { anyone, definePage, member, type PageRoute } from '../../web/page'
import { PageProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { OAuthError, oauthError } from '../error'
import type { Documented } from '../operation'
import {
  type AuthorizationRequest,
  authorizationParams,
  checkRequest,
  findKnownClient,
} from './authorization-request'
import { formTarget, redirectToClient, refuseClient } from './client-answer'
import { consentHead, decisionButtons, scopeSentences, signedInAs } from './consent-parts'
import { saveRequest } from './consent-request'
import { type DecisionOutcome, decide, readDecision } from './decide'
import { outOfBand } from './redirect-uri'

/** RFC 6749 §4.1.1, D57: always asks for consent. */
const page = definePage({
  path: '/oauth/authorize',
  access: anyone,
  show: async (visit) => {
    const { deps, request } = visit
    const sent = readQuery(request, { repeats: false })
    const knownClient = await findKnownClient(deps.read, sent)
    const user = member(visit)
    try {
      const asked = checkRequest(knownClient, sent)
      const made = { random: deps.random, at: deps.now() }
      const handle = await deps.write((tx) => saveRequest(tx, user.session.id, asked, made))
      return consentPage(user, asked, handle)
    } catch (cause) {
      if (cause instanceof OAuthError) return refuseClient(knownClient, cause, deps.config.baseUrl)
      throw cause
    }
  },
})

/** AZ-24 */
function consentPage(visit: MemberVisit, asked: AuthorizationRequest, handle: string): PageContent {
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
const codePage = ({ t }: PageContext, code: string): PageContent => ({
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

export const ask: Documented<PageRoute> = {
  ...page,
  operation: {
    summary: 'Asks the user for consent, in a browser',
    description:
      'Opened by the user in a browser, not by the client. The decision is sent to redirect_uri: `code` or `error`, and ' +
      '`state`. Extension: also `iss` (RFC 9207), if its owner turned that on for the application.',
    params: authorizationParams,
    by: ['anyone'],
    answers: {
      pages: {
        200: 'The consent page',
        303: 'To the sign-in page, or to redirect_uri with an error',
        400: 'A page that describes the error: client_id or redirect_uri is not registered',
        429: 'Too many requests',
      },
    },
  },
}

export const answer = defineAction({
  path: '/oauth/authorize',
  access: member,
  run: async (visit, sent) => {
    const decision = readDecision(formText(sent, 'decision'))
    return answerWith(visit, await decide(visit, formText(sent, 'request'), decision))
  },
})

function answerWith(visit: MemberVisit, decided: DecisionOutcome): PageContent | Response {
  const { deps } = visit
  const { baseUrl } = deps.config
  switch (decided.outcome) {
    case 'approved': {
      const { to, code } = decided
      return to.redirectUri === outOfBand ? codePage(visit, code) : redirectToClient(to, { code }, baseUrl)
    }
    case 'denied':
      return refuseClient(decided.to, oauthError('access_denied', 'The user denied access.'), baseUrl)
    case 'over':
      throw overAlready()
    case 'changed':
      throw changedMeanwhile()
  }
}

const overAlready = () => new PageProblem(400, (t) => [t.consent.overTitle, t.consent.over])

const changedMeanwhile = () => new PageProblem(400, (t) => [t.consent.changedTitle, t.consent.changed])
