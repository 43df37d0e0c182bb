import { findInvitation } from '../../accounts/account/invitation'
import { admit, refuseStrangers } from '../../accounts/provider/admit'
import {
  type ProviderAttempt,
  saveAttempt,
  saveNewcomer,
  type TakenAttempt,
  takeAttempt,
} from '../../accounts/provider/attempt'
import { type Arrival, arrivalOf } from '../../accounts/provider/claims'
import { connectIdentity, findIdentity, tellConnected } from '../../accounts/provider/identity'
import { ProviderRefusal, providerProblems } from '../../accounts/provider/refusal'
import { anonymousCookie } from '../../accounts/sign-in/session'
import type { Provider } from '../../options/providers'
import { setCookie } from '../../web/cookies'
import { defineAction, formText } from '../../web/form'
import { anyone, definePage, member, type PageRoute, seeOther } from '../../web/page'
import { PageProblem, pageNotFound } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import { browserOf, type MemberVisit, queryText, type Visit } from '../../web/visit'
import { renew } from './confirm'
import { beginSession } from './sign-in'

/** The provider that the path names. Throws the 404 page. */
export function providerOf({ deps, params }: Visit): Provider {
  const provider = deps.config.providers.find(({ id }) => id === params.id)
  if (provider === undefined) throw pageNotFound()
  return provider
}

/**
 * Sends the browser to the provider (sign-in.md §4). Throws a `PageProblem` if that does not answer. Whoever has no session gets
 * a cookie, which the attempt is bound to.
 */
export async function leaveForProvider(
  visit: Visit,
  provider: Provider,
  {
    purpose,
    returnTo,
    invitationId = null,
  }: Pick<ProviderAttempt, 'purpose' | 'returnTo'> & {
    readonly invitationId?: number | null
  },
): Promise<Response> {
  const { deps, context, session } = visit
  const { attemptSecrets, authorizationUrl, redirectUriOf } = await import('../../accounts/provider/protocol')
  const secrets = attemptSecrets(deps.random)
  const redirectUri = redirectUriOf(deps.config.baseUrl, provider)
  const asksAgain = purpose === 'confirm'
  const url = await orProblem(visit, provider, () =>
    authorizationUrl(deps, provider, secrets, { redirectUri, asksAgain }),
  )
  const cookie = visit.cookie ?? newCookie(visit)
  const attempt = { provider: provider.id, purpose, returnTo, invitationId, cookie }
  const sessionId = session?.id ?? null
  await deps.write((tx) =>
    saveAttempt(tx, { ...attempt, sessionId }, { secrets, peer: context.peer, at: deps.now() }),
  )
  const headers = { Location: url, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }
  return new Response(null, { status: 303, headers })
}

function newCookie({ deps, cookies }: Visit): string {
  const cookie = anonymousCookie(deps.random)
  cookies.push(setCookie('sid', cookie, 86_400, deps.config.baseUrl))
  return cookie
}

/** A link, not a form: Chromium's `form-action` stops a POST that is redirected away. Also what portals launch. */
const start = definePage({
  path: '/sign_in/with/:id',
  access: anyone,
  show: async (visit) => {
    const { deps } = visit
    const provider = providerOf(visit)
    const returnTo = safeReturn(queryText(visit, 'return_to'), deps.config.baseUrl)
    if (visit.session !== undefined) return seeOther(visit, returnTo)
    const code = queryText(visit, 'invitation')
    const invitationId = (await findInvitation(deps.read, code, deps.now())) ?? null
    return await leaveForProvider(visit, provider, { purpose: 'sign_in', returnTo, invitationId })
  },
})

const back = definePage({
  path: '/sign_in/with/:id/back',
  access: anyone,
  show: async (visit) => {
    const provider = providerOf(visit)
    return await orProblem(visit, provider, async () => {
      const attempt = await attemptOf(visit, provider)
      const arrival = await redeemed(visit, provider, attempt)
      switch (attempt.purpose) {
        case 'sign_in':
          return await signInAs(visit, provider, attempt, arrival)
        case 'connect':
          return await connectAs(memberOf(visit, attempt), provider, attempt, arrival)
        case 'confirm':
          return await confirmAs(memberOf(visit, attempt), attempt, arrival)
      }
    })
  },
})

const confirmWith = defineAction({
  path: '/confirm/with/:id',
  access: member,
  run: async (visit, sent) => {
    const returnTo = safeReturn(formText(sent, 'return_to'), visit.deps.config.baseUrl)
    return await leaveForProvider(visit, providerOf(visit), { purpose: 'confirm', returnTo })
  },
})

export const providerRoutes: readonly PageRoute[] = [start, back, confirmWith]

async function attemptOf(visit: Visit, { id: provider }: Provider): Promise<TakenAttempt> {
  const { deps, cookie = '' } = visit
  const state = queryText(visit, 'state')
  const at = deps.now()
  const attempt = await deps.write((tx) => takeAttempt(tx, { state, provider, cookie, at }))
  if (attempt === undefined)
    throw new ProviderRefusal('attempt', 'unknown, over, used, or of another browser')
  return attempt
}

async function redeemed(visit: Visit, provider: Provider, { secrets }: TakenAttempt): Promise<Arrival> {
  const { deps, request } = visit
  const { redeem, redirectUriOf } = await import('../../accounts/provider/protocol')
  const answer = new URLSearchParams(request.url.replace(/^[^?]*/, ''))
  const redirectUri = redirectUriOf(deps.config.baseUrl, provider)
  return arrivalOf(provider, await redeem(deps, provider, answer, { secrets, redirectUri }))
}

/** The same session as when they left. */
function memberOf(visit: Visit, { sessionId }: TakenAttempt): MemberVisit {
  const { session } = visit
  if (session === undefined || session.id !== sessionId)
    throw new ProviderRefusal('attempt', 'the session has ended')
  return { ...visit, session }
}

async function signInAs(
  visit: Visit,
  provider: Provider,
  { returnTo, invitationId }: TakenAttempt,
  arrival: Arrival,
): Promise<Response> {
  const { deps, context, language, cookie = '' } = visit
  const entrance = { invitationId, language, browser: browserOf(visit), id: context.id }
  const admitted = await admit(deps, provider, arrival, entrance)
  if (admitted.outcome === 'waiting')
    throw new PageProblem(403, (t) => [t.signUp.askedTitle, t.signIn.waiting])
  if (admitted.outcome === 'choose') {
    const newcomer = { arrival, provider: provider.id, invitationId, returnTo, cookie }
    const origin = { peer: context.peer, at: deps.now(), random: deps.random }
    await deps.write((tx) => saveNewcomer(tx, newcomer, origin))
    return seeOther(visit, '/sign_in/new')
  }
  await beginProviderSession(visit, provider, arrival, admitted)
  return seeOther(visit, admitted.isNew ? '/welcome' : returnTo)
}

/** Asked for a code by nobody (D100). What the provider did not see proved just now is not confirmed here either. */
export async function beginProviderSession(
  visit: Visit,
  provider: Provider,
  { provedAt = 0 }: Arrival,
  { userId, identityId, isNew }: { userId: number; identityId: number; isNew: boolean },
): Promise<void> {
  const { deps, context } = visit
  if (isNew) deps.log('sign_up', { id: context.id, user: userId, provider: provider.id })
  deps.log('sign_in', { id: context.id, way: 'provider', provider: provider.id, outcome: 'ok', user: userId })
  const confirmedAt = Math.min(provedAt, deps.now())
  const by = { way: 'provider', provider: provider.id } as const
  await beginSession(visit, userId, { by, identityId, confirmedAt })
}

async function connectAs(
  visit: MemberVisit,
  provider: Provider,
  { returnTo }: TakenAttempt,
  arrival: Arrival,
): Promise<Response> {
  const { deps, session, context, language } = visit
  refuseStrangers(provider, arrival)
  const outcome = await deps.write((tx) => connectIdentity(tx, session.userId, arrival, deps.now()))
  if (outcome === 'taken') throw new ProviderRefusal('taken', 'connected to another account')
  if (outcome === 'connected') {
    deps.log('identity_connected', { id: context.id, user: session.userId, provider: provider.id })
    tellConnected(deps, session.userId, { name: provider.name, language })
  }
  return seeOther(visit, returnTo)
}

/** How much earlier than the request the provider's clock may put the proof, in milliseconds. */
const tolerance = 60_000

/** A confirmation is believed without a time (ASVS 7.6.1). */
async function confirmAs(
  visit: MemberVisit,
  { returnTo, begunAt }: TakenAttempt,
  arrival: Arrival,
): Promise<Response> {
  const { deps, session, context } = visit
  const identity = await findIdentity(deps.read, arrival)
  if (identity?.user_id !== session.userId) throw new ProviderRefusal('other', 'confirmed as somebody else')
  if (arrival.provedAt !== undefined && arrival.provedAt < begunAt - tolerance)
    throw new ProviderRefusal('stale', 'auth_time is before the request')
  deps.log('confirm', { id: context.id, way: 'provider', outcome: 'ok', user: session.userId })
  await renew(visit)
  return seeOther(visit, returnTo)
}

/** Turns a `ProviderRefusal` into a page that says what to do and nothing about others; the cause is in the log. */
export async function orProblem<T>(visit: Visit, provider: Provider, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof ProviderRefusal)) throw cause
    const { deps, context, session } = visit
    const { problem, why } = cause
    const facts = { id: context.id, provider: provider.id, user: session?.userId, problem, why }
    deps.log('provider_refused', facts)
    throw problemOf(visit, provider, cause)
  }
}

function problemOf({ session }: Visit, { name }: Provider, { problem }: ProviderRefusal): PageProblem {
  const way =
    session === undefined
      ? { path: '/sign_in?stay=1', name: (t: Visit['t']) => t.providers.otherWays }
      : { path: '/settings/providers', name: (t: Visit['t']) => t.providers.title }
  return new PageProblem(
    providerProblems[problem],
    (t) => [t.providers.problems[problem].title(name), t.providers.problems[problem].text(name)],
    {},
    undefined,
    { mark: problem, way },
  )
}
