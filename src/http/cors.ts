import { Elysia } from 'elysia'
import { methodNotAllowed } from './errors'

/** Plugin: lets pages of other origins read the answers of the paths they may use. */
export const cors = () =>
  new Elysia({ name: 'cors' }).mapResponse({ as: 'global' }, ({ path, responseValue }) => {
    if (!isShared(path)) return
    const { headers } = responseValue as Response
    headers.set('Access-Control-Allow-Origin', '*')
    headers.set('Access-Control-Expose-Headers', exposed)
  })

/** Answers OPTIONS: what the path answers, and to other origins' pages on the paths they may use. */
export function preflight(path: string, methods: readonly string[]): Response {
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
