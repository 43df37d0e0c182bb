import { openerPolicy } from '../../web/page'
import { PageProblem } from '../../web/problem'
import type { Application } from '../clients/application'
import type { OAuthError } from '../error'
import { outOfBand } from './redirect-uri'

export interface ClientDestination {
  readonly application: Pick<Application, 'sendsIss'>
  readonly redirectUri: string
  readonly state: string | undefined
}

/** RFC 6749 §4.1.2, with the issuer (RFC 9207) for an application that asks for it (D111). */
export function redirectToClient(
  { application, redirectUri, state }: ClientDestination,
  answer: Readonly<Record<string, string>>,
  issuer: string,
): Response {
  const params = {
    ...answer,
    ...(state === undefined ? {} : { state }),
    ...(application.sendsIss ? { iss: issuer } : {}),
  }
  const headers = {
    Location: withParams(redirectUri, params),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    ...openerPolicy,
  }
  return new Response(null, { status: 303, headers })
}

/** Redirects with the error, or throws a page if there is no redirect URI (AZ-09). */
export function refuseClient(
  to: ClientDestination,
  { type, description }: OAuthError,
  issuer: string,
): Response {
  if (to.redirectUri !== outOfBand) {
    return redirectToClient(to, { error: type, error_description: description }, issuer)
  }
  throw new PageProblem(400, (t) => [t.consent.deniedTitle, t.consent.denied(type, description)])
}

/**
 * A source for `form-action`. Chromium applies it to the whole chain of redirects and fails silently, so all of https is
 * allowed. CSP cannot name IPv6 hosts.
 */
export function formTarget(redirectUri: string): string | undefined {
  if (redirectUri === outOfBand) return undefined
  const { protocol, hostname, origin } = new URL(redirectUri)
  if (!/^https?:$/.test(protocol)) return protocol
  return `${hostname.startsWith('[') ? protocol : origin} https:`
}

/** Keeps the query of the registered URI except parameters that we add (AZ-14). */
function withParams(uri: string, params: Readonly<Record<string, string>>): string {
  const mark = uri.indexOf('?')
  const base = mark < 0 ? uri : uri.slice(0, mark)
  const kept =
    mark < 0
      ? []
      : uri
          .slice(mark + 1)
          .split('&')
          .filter((pair) => isOthers(pair, params))
  const added = Object.entries(params).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${base}?${[...kept, ...added].join('&')}`
}

function isOthers(pair: string, params: Readonly<Record<string, string>>): boolean {
  const [name] = new URLSearchParams(pair).keys()
  return name !== undefined && !Object.hasOwn(params, name)
}
