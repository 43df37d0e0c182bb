import { Elysia } from 'elysia'
import type { Config } from '../config'
import type { Deps } from '../deps'
import { requestContext } from './request-context'

export function responseHeaders(deps: Deps) {
  const hsts = hstsOf(deps.config)
  return new Elysia({ name: 'response-headers' })
    .use(requestContext(deps))
    .mapResponse({ as: 'global' }, ({ responseValue, context }) => {
      const { headers } = responseValue as Response
      headers.set('X-Request-Id', context.id)
      if (hsts !== undefined) headers.set('Strict-Transport-Security', hsts)
      for (const [name, value] of defaults) if (!headers.has(name)) headers.set(name, value)
      for (const name in context.headers)
        if (!headers.has(name)) headers.set(name, context.headers[name] ?? '')
    })
}

const defaults = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
] as const

/** RFC 6797. Undefined when turned off or served without https. */
function hstsOf({ baseUrl, hsts }: Pick<Config, 'baseUrl' | 'hsts'>): string | undefined {
  if (hsts === 'off' || !baseUrl.startsWith('https:')) return undefined
  return hsts === 'include-subdomains' ? `${oneYear}; includeSubDomains` : oneYear
}

const oneYear = 'max-age=31536000'

/** `scripts`, `styles`: further CSP sources; `formTargets`: origins that forms may redirect to (see `form-action`). */
export const pageHeaders = ({
  scripts = [],
  styles = [],
  formTargets = [],
}: {
  readonly scripts?: readonly string[] | undefined
  readonly styles?: readonly string[] | undefined
  readonly formTargets?: readonly string[] | undefined
} = {}) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    `default-src 'none'; script-src ${["'self'", ...scripts].join(' ')}; connect-src 'self'; ` +
    `style-src ${["'self'", ...styles].join(' ')}; img-src 'self' data:; manifest-src 'self'; ` +
    `form-action ${["'self'", ...formTargets].join(' ')}; base-uri 'none'; frame-ancestors 'none'`,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
})
