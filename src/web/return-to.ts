import type { Visit } from './visit'

/** Prevents open redirects (oauth.md §2.5): returns the path if it stays on this instance, else '/'. */
export function safeReturn(text: string, baseUrl: string): string {
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(text)) return '/'
  const { origin, pathname } = new URL(text, baseUrl)
  return origin === new URL(baseUrl).origin && !/^\/[/\\]/.test(pathname) ? text : '/'
}

export const returnTarget = (visit: Visit): string => encodeURIComponent(returnPath(visit))

/** Without the base path; for a POST, the page of its form, which has to be sent again. */
export function returnPath(visit: Visit): string {
  const { request } = visit
  return (request.method === 'GET' ? undefined : pageBefore(visit)) ?? targetOf(request)
}

/** The page of this instance that linked here, without the base path; undefined if the browser names none. */
export function pageBefore({ request, deps, basePath }: Visit): string | undefined {
  const page = URL.parse(request.headers.get('referer') ?? '')
  if (page === null || page.origin !== new URL(deps.config.baseUrl).origin) return undefined
  const path = page.pathname + page.search
  // Pages are served both with the base URL's path and without it (D54).
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
}

function targetOf({ url }: Request): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  return start < 0 ? '/' : url.slice(start)
}
