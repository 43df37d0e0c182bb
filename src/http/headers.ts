import type { Config } from '../config'
import { shareWithScripts } from './cors'

/** Adds to an answer what every answer has, `own` headers of its request included; its own values win. */
export type AddHeaders = (headers: Headers, path: string, own: Readonly<Record<string, string>>) => void

export function headersOfAnswers(config: Pick<Config, 'baseUrl' | 'hsts'>): AddHeaders {
  const hsts = hstsOf(config)
  return (headers, path, own) => {
    if (hsts !== undefined) headers.set('Strict-Transport-Security', hsts)
    for (const [name, value] of defaults) if (!headers.has(name)) headers.set(name, value)
    for (const name in own) if (!headers.has(name)) headers.set(name, own[name] ?? '')
    shareWithScripts(headers, path)
  }
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
    `style-src ${["'self'", ...styles].join(' ')}; img-src 'self' data:; manifest-src 'self'; worker-src 'self'; ` +
    `form-action ${["'self'", ...formTargets].join(' ')}; base-uri 'none'; frame-ancestors 'none'`,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
})
