/** A request with what a `Request` does not tell. */
export interface IncomingRequest extends Request {
  /** The address at the other end of its connection. */
  readonly peer: string
  /** The URL it was sent to; `url` is the one it is answered as. */
  readonly originalUrl: string
}

/**
 * The same request, as it reaches the router. Requests are served with the base URL's path and without it (D54), and
 * `/v1/works.json` is `/v1/works` (D70). `prefix` is the base URL's path, '' for none.
 */
export function incoming(request: Request, peer: string, prefix: string): IncomingRequest {
  const { url } = request
  const inner = withoutFormat(withoutPrefix(url, prefix))
  // A second Request around the first would have to copy its body.
  if (inner !== url) Object.defineProperty(request, 'url', { value: inner })
  return Object.assign(request, { peer, originalUrl: url })
}

function withoutPrefix(url: string, prefix: string): string {
  if (prefix === '') return url
  const start = url.indexOf('/', 8)
  const inner = innerTarget(url.slice(start), prefix)
  if (inner === undefined) return url
  return url.slice(0, start) + (inner.startsWith('/') ? inner : `/${inner}`)
}

/** A target without the path before it; without the path behind it if it is a well-known one (RFC 8414 §3.1). */
function innerTarget(target: string, prefix: string): string | undefined {
  const [, wellKnown = '', rest = ''] = /^(\/\.well-known\/[\w-]+)(.*)$/.exec(target) ?? []
  const start = wellKnown === '' ? target : rest
  const isBelow = start.startsWith(prefix) && /^(?:[/?]|$)/.test(start.slice(prefix.length))
  return isBelow ? wellKnown + start.slice(prefix.length) : undefined
}

/** Clients written for Rails may ask for `/v1/works.json`. */
function withoutFormat(url: string): string {
  const path = pathOf(url)
  if (!path.endsWith('.json') || !/^\/v1\/.*[^/]\.json$/.test(path)) return url
  const end = url.indexOf(path, 8) + path.length
  return url.slice(0, end - '.json'.length) + url.slice(end)
}

/** The path of a request's URL; `new URL` would throw where the Host header is odd. */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : Math.max(0, url.indexOf('/', 8))
  const end = url.indexOf('?', start)
  return end < 0 ? url.slice(start) : url.slice(start, end)
}
