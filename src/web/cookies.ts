import { basePathOf } from '../lib/base-path'

export type CookieName = 'sid' | 'device' | 'language' | 'flash' | 'zone'

/**
 * Over https no other host can set it (`__Host-`, RFC 6265bis). That prefix requires the path `/`, and cookies
 * ignore ports, so the name contains the instance's port and path (oauth.md §2.2).
 */
export function cookieName(name: CookieName, baseUrl: string): string {
  const { protocol, port } = new URL(baseUrl)
  const own = (port === '' ? name : `${name}_${port}`) + encodeURIComponent(basePathOf(baseUrl))
  return protocol === 'https:' ? `__Host-${own}` : own
}

/** Undefined also if it was sent twice: somebody else may have set one of them. */
export function cookieOf(request: Request, name: CookieName, baseUrl: string): string | undefined {
  const start = `${cookieName(name, baseUrl)}=`
  const cookies = (request.headers.get('cookie') ?? '').split(/[;,]/).map((cookie) => cookie.trim())
  const values = cookies.filter((cookie) => cookie.startsWith(start))
  return values.length === 1 ? values[0]?.slice(start.length) : undefined
}

/** Lax: with Strict it would be missing after a client's redirect here. `value`: unreserved characters; 0 s deletes. */
export function setCookie(name: CookieName, value: string, seconds: number, baseUrl: string): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  const start = `${cookieName(name, baseUrl)}=${value}; Path=/; Max-Age=${seconds}`
  return `${start}; HttpOnly; SameSite=Lax${secure}`
}
