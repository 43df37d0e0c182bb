/**
 * A path on this instance to go on to, from text that anybody may have written; '/' where it would lead elsewhere
 * (oauth.md §2.5). Below the base URL's own path.
 */
export function safeReturn(text: string, baseUrl: string): string {
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(text)) return '/'
  const { origin, pathname } = new URL(text, baseUrl)
  return origin === new URL(baseUrl).origin && !/^\/[/\\]/.test(pathname) ? text : '/'
}

/** The path and query of a request, as a page to come back to. */
export function targetOf({ url }: Request): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  return start < 0 ? '/' : url.slice(start)
}
