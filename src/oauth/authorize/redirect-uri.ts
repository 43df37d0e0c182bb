import type { Messages } from '../../messages/en'

export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob'

/** `place` counts from 1. */
export type RedirectUriProblem = (t: Messages, place: number) => string

/** Why a URI cannot be registered (AZ-07, D57); undefined if it can. */
export function redirectUriProblem(uri: string, baseUrl: string): RedirectUriProblem | undefined {
  if (uri === outOfBand) return undefined
  if (uri.length > longest) return (t, place) => t.redirectUri.tooLong(place, longest)
  if (!/^[\w.~:/?#[\]@!$&'()*+,;=%-]+$/.test(uri)) return (t, place) => t.redirectUri.characters(place)
  if (!/^[a-z][a-z0-9+.-]*:/.test(uri) || !URL.canParse(uri))
    return (t, place) => t.redirectUri.notAbsolute(place)
  if (uri.includes('#')) return (t, place) => t.redirectUri.fragment(place)
  if (uri.includes('*')) return (t, place) => t.redirectUri.wildcard(place)
  if (/^[^:]+:\/\/[^/?]*@/.test(uri)) return (t, place) => t.redirectUri.user(place)
  if (/^https?:/.test(uri)) return webProblem(uri, baseUrl)
  return /^[^:]*\./.test(uri) ? undefined : (t, place) => t.redirectUri.scheme(place)
}

/** Also checks the rules: they may have become stricter since registration. */
export const isAccepted = (registered: readonly string[], asked: string): boolean =>
  isAllowed(asked) && registered.some((one) => matchesRedirectUri(one, asked))

/** Whether the rules of any instance, with or without TLS, allow the URI (D57). */
export const isAllowed = (uri: string): boolean => redirectUriProblem(uri, 'http:') === undefined

/** Compares byte by byte (AZ-04), except for the port of a loopback URI (AZ-06, RFC 8252 §7.3). */
export function matchesRedirectUri(registered: string, asked: string): boolean {
  if (registered === asked) return true
  const withoutPort = loopbackWithoutPort(asked)
  return withoutPort !== undefined && withoutPort === loopbackWithoutPort(registered)
}

/** Only the usual spellings: not `127.1`, not `LOCALHOST`. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::([1-9][0-9]{0,4}))?((?:[/?].*)?)$/

function loopbackWithoutPort(uri: string): string | undefined {
  const [, host, port = '', rest] = loopback.exec(uri) ?? []
  return host === undefined || Number(port) > 65_535 ? undefined : `${host}${rest}`
}

function webProblem(uri: string, baseUrl: string): RedirectUriProblem | undefined {
  if (!/^https?:\/\/[^/?]/.test(uri)) return (t, place) => t.redirectUri.notAbsolute(place)
  if (!webHost.test(uri)) return (t, place) => t.redirectUri.host(place)
  const isPlain = uri.startsWith('http:') && !loopback.test(uri)
  return isPlain && baseUrl.startsWith('https:') ? (t, place) => t.redirectUri.notEncrypted(place) : undefined
}

/** Stricter than URL: `;` or `,` in a host would end a directive or the whole policy of the CSP. */
const webHost = /^https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:[/?]|$)/

const longest = 2000
