import type { StoredPreferences } from '../accounts/account/preferences'
import { countUnread } from '../accounts/account/unread'
import { anonymousCookie, findSession, type Session, touchSession } from '../accounts/sign-in/session'
import type { Browser } from '../accounts/sign-in/sign-ins'
import type { Read } from '../db/open'
import type { Deps } from '../deps'
import { isPrefetch } from '../http/incoming'
import { readQuery, textOrBlank } from '../http/request-values'
import type { RouteContext } from '../http/route'
import { basePathOf } from '../lib/base-path'
import { isTimeZone } from '../lib/local-time'
import { checkSecret } from '../lib/secret'
import { type Language, languages, messagesIn, preferredLanguage } from '../messages/languages'
import type { PageContext } from '../pages/layout'
import { defaultPreferences, type Preferences } from '../pages/preferences'
import { positiveInteger } from '../values/number'
import { readIfValid, type Value } from '../values/value'
import { cookieName, cookieOf, setCookie } from './cookies'
import { csrfToken } from './csrf'
import { pageNotFound } from './problem'

/** What pages read of what people wrote. */
export interface VisitDeps extends Deps {
  /** What the visitor may see. */
  readonly seen: Read
  /** The same without those whom they muted, for what several people wrote. */
  readonly crowd: Read
}

export interface Visit extends RouteContext, PageContext {
  readonly deps: VisitDeps
  readonly session: Session | undefined
  /** Undefined if absent or malformed. */
  readonly cookie: string | undefined
  readonly cookies: string[]
  /** CSRF token of the page to send; sets a cookie to bind it to if the browser sent none. */
  csrf(): string
  /** What binds the page to this browser: the value of its session cookie, set if the browser sent none. */
  browserCookie(): string
}

export interface MemberVisit extends Visit {
  readonly session: Session
}

export async function openVisit(route: RouteContext): Promise<Visit> {
  const { deps, request, context } = route
  const { baseUrl } = deps.config
  const sent = cookieOf(request, 'sid', baseUrl) ?? ''
  const cookie = checkSecret('se', sent) ? sent : undefined
  const session = cookie === undefined ? undefined : await findSession(deps, cookie)
  if (session !== undefined) {
    if (!isPrefetch(request)) touchSession(deps, session)
    Object.assign(context.caller, { user: session.userId, session: session.id })
  }
  const cookies: string[] = []
  let csrfCookie = cookie
  let token: string | undefined
  const browserCookie = () => {
    if (csrfCookie === undefined) {
      csrfCookie = anonymousCookie(deps.random)
      cookies.push(setCookie('sid', csrfCookie, 86_400, baseUrl))
    }
    return csrfCookie
  }
  const csrf = () => {
    token ??= csrfToken(browserCookie(), deps.random)
    return token
  }
  const viewer = session?.userId ?? 0
  const guarded = { ...deps, seen: deps.readAs(viewer), crowd: deps.crowdAs(viewer) }
  const [{ count: unread } = { count: 0 }] =
    viewer === 0 ? [] : await countUnread(guarded.seen, { user: viewer })
  return {
    ...route,
    ...pageContextOf(route, session, { csrf, unread }),
    deps: guarded,
    session,
    cookie,
    cookies,
    csrf,
    browserCookie,
  }
}

/** Reads the session again: a form may take a while to arrive. */
export async function withCurrentSession(visit: Visit): Promise<Visit> {
  const { deps, cookie } = visit
  return cookie === undefined ? visit : { ...visit, session: await findSession(deps, cookie) }
}

function pageContextOf(
  { deps, request }: RouteContext,
  session: Session | undefined,
  { csrf, unread }: { csrf(): string; readonly unread: number },
): PageContext {
  const { baseUrl } = deps.config
  const chosen = session?.language ?? languages.find((one) => one === cookieOf(request, 'language', baseUrl))
  const language = chosen ?? preferredLanguage(request.headers.get('accept-language'))
  const member = session && {
    id: session.userId,
    username: session.username,
    avatar_url: session.avatarUrl,
    isAdmin: session.isAdmin,
    csrf: csrf(),
    unread,
  }
  return {
    basePath: basePathOf(baseUrl),
    language,
    t: messagesIn(language),
    now: deps.now(),
    member,
    preferences: preferencesFor(request, session, { language, baseUrl }),
    hasWorker: !deps.config.noWorker,
    zoneCookie: cookieName('zone', baseUrl),
    hasOwnZone: session?.preferences.timeZone != null,
  }
}

/** The account's preferences; for those not set, the defaults of `language`, and the time zone of the browser's cookie. */
function preferencesFor(
  request: Request,
  session: { readonly preferences: StoredPreferences } | undefined,
  { language, baseUrl }: { language: Language; baseUrl: string },
): Preferences {
  const usual = { ...defaultPreferences(language), timeZone: zoneOfBrowser(request, baseUrl) ?? 'UTC' }
  if (session === undefined) return usual
  const { titleLanguage, timeZone, weekStart, hasLongNights, ...others } = session.preferences
  return {
    ...others,
    titleLanguage: titleLanguage ?? usual.titleLanguage,
    timeZone: timeZone ?? usual.timeZone,
    weekStart: weekStart ?? usual.weekStart,
    hasLongNights: hasLongNights ?? usual.hasLongNights,
  }
}

function zoneOfBrowser(request: Request, baseUrl: string): string | undefined {
  const zone = cookieOf(request, 'zone', baseUrl)
  return zone !== undefined && isTimeZone(zone) ? zone : undefined
}

export const browserOf = ({ request, context }: Visit): Browser => ({
  userAgent: (request.headers.get('user-agent') ?? '').slice(0, 300),
  address: context.peer,
})

/** '' if missing or sent twice. */
export const queryText = ({ request }: Visit, name: string): string =>
  textOrBlank(readQuery(request, { repeats: false }), name)

export const pathId = ({ params }: Visit): number => readOrNotFound(positiveInteger, params.id)

/** Throws the 404 page for a text that breaks the rule. */
export function readOrNotFound<T>(value: Value<T>, text = ''): T {
  const read = readIfValid(value, text)
  if (read === undefined) throw pageNotFound()
  return read
}
