import { anonymousCookie, findSession, type Session, touchSession } from '../accounts/sign-in/session'
import type { Asked } from '../http/route'
import { basePathOf } from '../lib/base-path'
import { checkSecret } from '../lib/secret'
import { languages, messagesIn, preferredLanguage } from '../messages/languages'
import type { Look } from '../pages/layout'
import { cookieOf, setCookie } from './cookies'
import { csrfToken } from './csrf'

/** A request for a page, by somebody. */
export interface Visit extends Asked {
  readonly look: Look
  /** Undefined for somebody who is not signed in. */
  readonly session: Session | undefined
  /** The session cookie as it was sent; undefined when it was not, or can be none of ours. */
  readonly cookie: string | undefined
  /** Set-Cookie headers of the answer, whatever that will be. */
  readonly cookies: string[]
  /** The proof for a form on the answered page. A browser without a cookie gets one to bind it to. */
  csrf(): string
}

/** A request for a page, by somebody who is signed in. */
export interface MemberVisit extends Visit {
  readonly session: Session
}

/** Finds out who is asking, and in which language. */
export async function openVisit(asked: Asked): Promise<Visit> {
  const { deps, request, arrival } = asked
  const { baseUrl } = deps.config
  const sent = cookieOf(request, 'sid', baseUrl) ?? ''
  const cookie = checkSecret('se', sent) ? sent : undefined
  const session = cookie === undefined ? undefined : await findSession(deps, cookie)
  if (session !== undefined) {
    touchSession(deps, session)
    Object.assign(arrival.caller, { user: session.userId, session: session.id })
  }
  const cookies: string[] = []
  let bound = cookie
  const csrf = () => {
    if (bound === undefined) {
      bound = anonymousCookie(deps.random)
      cookies.push(setCookie('sid', bound, 86_400, baseUrl))
    }
    return csrfToken(bound)
  }
  const look = lookOf(asked, session, csrf)
  return { ...asked, look, session, cookie, cookies, csrf }
}

/** The same visit, by whoever is signed in by now: a form may take a while to arrive. */
export async function lookedAtAgain(visit: Visit): Promise<Visit> {
  const { deps, cookie } = visit
  return cookie === undefined ? visit : { ...visit, session: await findSession(deps, cookie) }
}

function lookOf({ deps, request }: Asked, session: Session | undefined, csrf: () => string): Look {
  const { baseUrl } = deps.config
  const chosen = session?.language ?? languages.find((one) => one === cookieOf(request, 'language', baseUrl))
  const language = chosen ?? preferredLanguage(request.headers.get('accept-language'))
  const member = session && { username: session.username, isAdmin: session.isAdmin, csrf: csrf() }
  return {
    basePath: basePathOf(baseUrl),
    language,
    t: messagesIn(language),
    now: deps.now(),
    member,
  }
}
