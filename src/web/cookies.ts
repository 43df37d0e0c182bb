import { basePathOf } from '../lib/base-path'

/** The cookies there are: who is signed in, a browser that is known, the language somebody chose. */
export type CookieName = 'sid' | 'device' | 'language'

/**
 * A cookie's name under a base URL (oauth.md §2.2). Over https no other host can set it (`__Host-`, RFC 6265bis). Since
 * cookies ignore ports, and that prefix wants them for every path, an instance on a port or below a path of its own has
 * names of its own.
 */
export function cookieName(name: CookieName, baseUrl: string): string {
  const { protocol, port } = new URL(baseUrl)
  const own = (port === '' ? name : `${name}_${port}`) + encodeURIComponent(basePathOf(baseUrl))
  return protocol === 'https:' ? `__Host-${own}` : own
}

/** A cookie's value; undefined when it was not sent, or twice, for then somebody else may have set one of them. */
export function cookieOf(request: Request, name: CookieName, baseUrl: string): string | undefined {
  const start = `${cookieName(name, baseUrl)}=`
  const cookies = (request.headers.get('cookie') ?? '').split(/[;,]/).map((cookie) => cookie.trim())
  const values = cookies.filter((cookie) => cookie.startsWith(start))
  return values.length === 1 ? values[0]?.slice(start.length) : undefined
}

/**
 * A Set-Cookie header. Lax, since a Strict one is not sent when a client application leads somebody to the consent
 * page; the value must be of unreserved characters. `seconds` of 0 takes the cookie back.
 */
export function setCookie(name: CookieName, value: string, seconds: number, baseUrl: string): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  const start = `${cookieName(name, baseUrl)}=${value}; Path=/; Max-Age=${seconds}`
  return `${start}; HttpOnly; SameSite=Lax${secure}`
}
