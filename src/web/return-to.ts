import type { Visit } from './visit'

/**
 * A path on this instance to go on to, from text that anybody may have written; '/' where it would lead elsewhere
 * (oauth.md §2.5). Below the base URL's own path.
 */
export function safeReturn(text: string, baseUrl: string): string {
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(text)) return '/'
  const { origin, pathname } = new URL(text, baseUrl)
  return origin === new URL(baseUrl).origin && !/^\/[/\\]/.test(pathname) ? text : '/'
}

/** The page to come back to, for a query: what a form would have done is asked for again, on the page that it stood on. */
export function returnTarget({ request, deps, pageContext }: Visit): string {
  const page = request.method === 'GET' ? null : URL.parse(request.headers.get('referer') ?? '')
  if (page === null || page.origin !== new URL(deps.config.baseUrl).origin)
    return encodeURIComponent(targetOf(request))
  const path = page.pathname + page.search
  // The page is served with the base URL's path and without it (D54).
  return encodeURIComponent(
    path.startsWith(`${pageContext.basePath}/`) ? path.slice(pageContext.basePath.length) : path,
  )
}

/** The path and query of a request. */
function targetOf({ url }: Request): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  return start < 0 ? '/' : url.slice(start)
}
