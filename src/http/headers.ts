import type { Config } from '../config'
import { methodNotAllowed, unknownRoute } from './errors'

/** Sets the headers that every response has, without touching those a handler set (oauth.md §2.4). */
export function finish(
  response: Response,
  { path, id, hsts }: { path: string; id: string; hsts: string | undefined },
): void {
  const { headers } = response
  headers.set('X-Request-Id', id)
  if (hsts !== undefined) headers.set('Strict-Transport-Security', hsts)
  for (const [name, value] of defaults) if (!headers.has(name)) headers.set(name, value)
  if (isShared(path)) {
    headers.set('Access-Control-Allow-Origin', '*')
    headers.set('Access-Control-Expose-Headers', exposed)
  }
}

/** What a response has that says nothing else: redirects, assets and refusals too. */
const defaults = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
] as const

/** The Strict-Transport-Security of every response (RFC 6797); undefined for none, as always without https. */
export function hstsOf({ baseUrl, hsts }: Pick<Config, 'baseUrl' | 'hsts'>): string | undefined {
  if (hsts === 'off' || !baseUrl.startsWith('https:')) return undefined
  return hsts === 'include-subdomains' ? `${aYear}; includeSubDomains` : aYear
}

const aYear = 'max-age=31536000'

/** Answers OPTIONS: what the path answers, and to other origins' pages on the paths they may use. */
export function preflight(path: string, methods: readonly string[]): Response {
  if (methods.length === 0) throw unknownRoute()
  // Scripts have no business where somebody consents (AZ-23).
  if (path.replace(/\/$/, '') === '/oauth/authorize') throw methodNotAllowed(methods)
  const allow = [...methods, 'OPTIONS'].join(', ')
  const headers = new Headers({ Allow: allow })
  if (isShared(path)) {
    headers.set('Access-Control-Allow-Methods', allow)
    // The star stands for all but Authorization, which has to be named.
    headers.set('Access-Control-Allow-Headers', 'Authorization, *')
    headers.set('Access-Control-Max-Age', '86400')
  }
  return new Response(null, { status: 204, headers })
}

/** Paths for scripts of any origin: they are authorized by token alone, never by cookie. */
const isShared = (path: string) =>
  path.startsWith('/v1/') || path === '/v1' || sharedPaths.has(path.replace(/\/$/, ''))

/** Never a page, and never where somebody consents (AZ-23). */
const sharedPaths = new Set([
  '/openapi.json',
  '/oauth/token',
  '/oauth/token/info',
  '/oauth/revoke',
  '/oauth/device_authorization',
  '/.well-known/oauth-authorization-server',
])

const exposed = 'WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id'

/**
 * Headers of every page (oauth.md §2.4). A page that runs scripts of ours names their sources; one whose form leads to
 * another origin names that, since browsers hold redirects after a form to `form-action` too.
 */
export const pageHeaders = ({
  scripts = '',
  formTargets = [],
}: {
  readonly scripts?: string
  readonly formTargets?: readonly string[] | undefined
} = {}) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    `default-src 'none'; ${scripts}style-src 'self'; img-src 'self' data:; ` +
    `form-action ${["'self'", ...formTargets].join(' ')}; base-uri 'none'; frame-ancestors 'none'`,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
})
