export interface IncomingRequest extends Request {
  readonly peer: string
  /** Logged and sent as X-Request-Id. */
  readonly id: string
  /** The URL as sent; `url` is what the router sees. */
  readonly originalUrl: string
}

/** Strips the base URL's path (D54) and `.json` (D70) from the URL. `prefix`: that path, '' if there is none. */
export function incoming(
  request: Request,
  { peer, id }: Pick<IncomingRequest, 'peer' | 'id'>,
  prefix: string,
): IncomingRequest {
  const { url } = request
  const inner = withoutFormat(withoutPrefix(url, prefix))
  // A second `Request` would have to copy the body.
  if (inner !== url) Object.defineProperty(request, 'url', { value: inner })
  return Object.assign(request, { peer, id, originalUrl: url })
}

function withoutPrefix(url: string, prefix: string): string {
  if (prefix === '') return url
  const start = url.indexOf('/', 8)
  const inner = innerTarget(url.slice(start), prefix)
  if (inner === undefined) return url
  return url.slice(0, start) + (inner.startsWith('/') ? inner : `/${inner}`)
}

/** Strips the prefix, which follows the name in a well-known URI (RFC 8414 §3.1). */
function innerTarget(target: string, prefix: string): string | undefined {
  const [, wellKnown = '', rest = ''] = /^(\/\.well-known\/[\w-]+)(.*)$/.exec(target) ?? []
  const start = wellKnown === '' ? target : rest
  const isBelow = start.startsWith(prefix) && /^(?:[/?]|$)/.test(start.slice(prefix.length))
  return isBelow ? wellKnown + start.slice(prefix.length) : undefined
}

/** Clients written for Rails may request `/v1/works.json`. */
function withoutFormat(url: string): string {
  const path = pathOf(url)
  if (!path.endsWith('.json') || !/^\/v1\/.*[^/]\.json$/.test(path)) return url
  const end = url.indexOf(path, 8) + path.length
  return url.slice(0, end - '.json'.length) + url.slice(end)
}

/** `new URL` would throw for an odd Host header. */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : Math.max(0, url.indexOf('/', 8))
  const end = url.indexOf('?', start)
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

/** A page that the browser loads in case it is opened: nobody has seen it yet (Sec-Purpose). */
export const isPrefetch = ({ headers }: Request): boolean =>
  (headers.get('sec-purpose') ?? '').startsWith('prefetch')
