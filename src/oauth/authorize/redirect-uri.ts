import type { Messages } from '../../messages/en'

/** No redirect: the code is displayed, for somebody to copy. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob'

/** What is wrong with the redirect URI at a place of a list, which counts from 1. */
export type RedirectUriProblem = (t: Messages, place: number) => string

/** What keeps a URI from being registered as a redirect URI (AZ-07, D57); undefined when nothing does. */
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

/** Whether a redirect URI is one of those registered, and one that can be registered still: the rules may have grown. */
export const isAccepted = (registered: readonly string[], asked: string): boolean =>
  isAllowed(asked) && registered.some((one) => matchesRedirectUri(one, asked))

/** Whether a URI keeps the rules that hold for every instance, whether it has TLS or not (D57). */
export const isAllowed = (uri: string): boolean => redirectUriProblem(uri, 'http:') === undefined

/**
 * Whether a redirect URI is one that was registered: byte by byte (AZ-04), except for the port of an app on the same
 * machine, which gets one from its system each time (AZ-06, RFC 8252 §7.3).
 */
export function matchesRedirectUri(registered: string, asked: string): boolean {
  if (registered === asked) return true
  const withoutPort = loopbackWithoutPort(asked)
  return withoutPort !== undefined && withoutPort === loopbackWithoutPort(registered)
}

/** Spelled in the one usual way alone; `127.1` and `LOCALHOST` are not taken for the same machine. */
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

/**
 * URLs may hold more in a host, such as `;` and `,`; but it becomes a source of the consent page's policy, where those end
 * the directive or the policy.
 */
const webHost = /^https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:[/?]|$)/

/** In characters. */
const longest = 2000
