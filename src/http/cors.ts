import { methodNotAllowed } from './errors'

/** Lets scripts of other sites read the answer. */
export function shareWithScripts(headers: Headers, path: string): void {
  if (!isShared(path) || isPage(headers)) return
  headers.set('Access-Control-Allow-Origin', '*')
  headers.set('Access-Control-Expose-Headers', exposed)
}

export function preflight(path: string, methods: readonly string[]): Response {
  // Scripts must not call the consent page (AZ-23).
  if (path.replace(/\/$/, '') === '/oauth/authorize') throw methodNotAllowed(methods)
  const allow = [...methods, 'OPTIONS'].join(', ')
  const headers = new Headers({ Allow: allow })
  if (isShared(path)) {
    headers.set('Access-Control-Allow-Methods', allow)
    // The wildcard does not cover Authorization (Fetch standard).
    headers.set('Access-Control-Allow-Headers', 'Authorization, *')
    headers.set('Access-Control-Max-Age', '86400')
  }
  return new Response(null, { status: 204, headers })
}

/** Open to scripts of any origin: only a token authorizes here, never a cookie. */
const isShared = (path: string) =>
  path.startsWith('/v1/') ||
  path === '/v1' ||
  path.startsWith('/hooks/') ||
  sharedPaths.has(path.replace(/\/$/, ''))

/** `/graphql` opened in a browser. */
const isPage = (headers: Headers) => headers.get('Content-Type')?.startsWith('text/html') ?? false

const sharedPaths = new Set([
  '/graphql',
  '/openapi.json',
  '/oauth/token',
  '/oauth/token/info',
  '/oauth/revoke',
  '/oauth/device_authorization',
  '/.well-known/oauth-authorization-server',
])

const exposed = 'WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id'
