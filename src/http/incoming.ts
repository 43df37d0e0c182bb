import { LRUCache } from 'lru-cache'
import type { Deps } from '../deps'
import { addressOf, isWithin, type Network } from '../lib/network'

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

/** Who is at the other end of a connection: a client, or a trusted proxy. */
export interface Peer {
  /** In its canonical form. */
  readonly address: string
  readonly isTrusted: boolean
}

/** Keeps the latest, as many requests come from few. */
export function peersOf(trusted: readonly Network[], capacity = 1000): (peer: string) => Peer {
  const known = new LRUCache<string, Peer>({ max: capacity })
  return (peer) => {
    const found = known.get(peer)
    if (found !== undefined) return found
    const address = addressOf(peer) ?? peer
    const read = { address, isTrusted: isTrustedAddress(address, trusted) }
    known.set(peer, read)
    return read
  }
}

/** Reads X-Forwarded-For from its end, up to the first untrusted hop: what comes before can be forged (ASVS 4.1.3). */
export function clientAddress(
  request: Request,
  { address, isTrusted }: Peer,
  trusted: readonly Network[],
): string {
  let client = address
  if (!isTrusted) return client
  const hops = (request.headers.get('x-forwarded-for') ?? '').split(',')
  for (const hop of hops.reverse()) {
    const before = addressOf(withoutPort(hop.trim()))
    if (before === undefined) return client
    client = before
    if (!isTrustedAddress(client, trusted)) return client
  }
  return client
}

const isTrustedAddress = (address: string, trusted: readonly Network[]) =>
  trusted.some((network) => isWithin(address, network))

/** Strips the port of `192.0.2.1:1234` and `[2001:db8::1]:1234`, which some proxies send. */
const withoutPort = (hop: string) =>
  hop.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')

/** The id that a trusted proxy sent, so that its log and ours name a request alike; else a new one. */
export function requestIds(
  random: (length: number) => Uint8Array<ArrayBuffer>,
): (request: Request, peer: Peer) => string {
  let pool = new Uint8Array()
  let used = 0
  return ({ headers }, { isTrusted }) => {
    const given = isTrusted ? headers.get('x-request-id') : null
    if (given !== null && /^[\w.:/+=@-]{1,100}$/.test(given)) return given
    if (used >= pool.length) {
      pool = random(poolBytes)
      used = 0
    }
    used += idBytes
    return pool.subarray(used - idBytes, used).toBase64({ alphabet: 'base64url' })
  }
}

const idBytes = 9
const poolBytes = 512 * idBytes

export interface RequestContext {
  readonly id: string
  /** The client's address, behind trusted proxies. */
  readonly peer: string
  /** `performance.now()`. */
  readonly startedAt: number
  /** Set once the caller is known; logged with refusals (ASVS 16.3.2). */
  readonly caller: Caller
  readonly headers: Record<string, string>
}

interface Caller {
  user?: number
  token?: number
  session?: number
}

export const contextOf = (
  { config }: Pick<Deps, 'config'>,
  peerAt: (address: string) => Peer,
  request: IncomingRequest,
): RequestContext => ({
  id: request.id,
  peer: clientAddress(request, peerAt(request.peer), config.trustedProxies),
  startedAt: performance.now(),
  caller: {},
  headers: {},
})
