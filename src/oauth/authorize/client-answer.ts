import { openerPolicy } from '../../web/page'
import { PageProblem } from '../../web/problem'
import type { OAuthError } from '../error'
import { outOfBand } from './redirect-uri'

/** Where an answer goes, and what it hands back. */
export interface Destination {
  readonly redirectUri: string
  readonly state: string | undefined
}

/** Leads the browser back to the client with a code or an error (RFC 6749 §4.1.2), and who says so (RFC 9207). */
export function redirectToClient(
  { redirectUri, state }: Destination,
  answer: Readonly<Record<string, string>>,
  issuer: string,
): Response {
  const params = { ...answer, ...(state === undefined ? {} : { state }), iss: issuer }
  const headers = {
    Location: withParams(redirectUri, params),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    ...openerPolicy,
  }
  return new Response(null, { status: 303, headers })
}

/** Tells the client of an error, or the person, where there is no way back (AZ-09). Throws the page. */
export function refuseClient(to: Destination, { type, description }: OAuthError, issuer: string): Response {
  if (to.redirectUri !== outOfBand) {
    return redirectToClient(to, { error: type, error_description: description }, issuer)
  }
  throw new PageProblem(
    400,
    (t) => t.consent.deniedTitle,
    (t) => t.consent.denied(type, description),
  )
}

/**
 * What a page's form may lead to besides ourselves, as `form-action` names it. Chromium holds the whole chain of
 * redirects to it, and stops without a word where a client's callback leads on to another site: so encrypted sites may
 * follow. A host that is an IPv6 address has no name there, so for that one the scheme stands alone.
 */
export function formTarget(redirectUri: string): string | undefined {
  if (redirectUri === outOfBand) return undefined
  const { protocol, hostname, origin } = new URL(redirectUri)
  if (!/^https?:$/.test(protocol)) return protocol
  return `${hostname.startsWith('[') ? protocol : origin} https:`
}

/** A registered URI keeps its own query, but for what has one of our names (AZ-14). */
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
