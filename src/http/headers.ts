import { Elysia } from 'elysia'
import type { Config } from '../config'
import type { Deps } from '../deps'
import { requestContext } from './request-context'

/** Plugin: sets the headers that every response has, without touching those a handler set (oauth.md §2.4). */
export function responseHeaders(deps: Deps) {
  const hsts = hstsOf(deps.config)
  return new Elysia({ name: 'response-headers' })
    .use(requestContext(deps))
    .mapResponse({ as: 'global' }, ({ responseValue, arrival }) => {
      const { headers } = responseValue as Response
      headers.set('X-Request-Id', arrival.id)
      if (hsts !== undefined) headers.set('Strict-Transport-Security', hsts)
      for (const [name, value] of defaults) if (!headers.has(name)) headers.set(name, value)
      for (const name in arrival.headers)
        if (!headers.has(name)) headers.set(name, arrival.headers[name] ?? '')
    })
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
