import { storageFault, storageProblems } from '../db/storage-fault'
import type { Deps } from '../deps'
import { basePathOf } from '../lib/base-path'
import { releaseBody } from './bodies-in-flight'
import { clientAddress } from './client-address'
import { ApiError, errorResponse, internalError, invalidParams, notFound, serviceUnavailable } from './errors'
import { finish, hstsOf, preflight } from './headers'
import { logStorageFault } from './log-storage'
import { maskedUrl } from './masked-url'

/** What the layers inside know of a request besides the request. */
export interface Arrival {
  /** Names the request in the log and in the X-Request-Id header. */
  readonly id: string
  /** The address it came from, behind the proxies that are trusted. */
  readonly peer: string
  /** Whoever finds out who is asking notes it here; the log names them where they are refused (ASVS 16.3.2). */
  readonly caller: Caller
}

/** Who is asking, by numbers. */
export interface Caller {
  user?: number
  token?: number
  session?: number
}

/** What lies behind the edge. */
export interface Inside {
  /** Answers a request that is sound, with a path below the base URL's. */
  answer(request: Request, arrival: Arrival): Promise<Response>
  /** The methods a path has; none where there is no such path. */
  methodsOf(path: string): readonly string[]
}

/**
 * The outermost layer: refuses what no handler should see, answers OPTIONS and HEAD for everyone, sets the headers
 * every response has, and logs one line. Never throws.
 */
export function createEdge(
  deps: Deps,
  inside: Inside,
): (request: Request, peer: string) => Promise<Response> {
  const { baseUrl, trustedProxies } = deps.config
  const prefix = basePathOf(baseUrl)
  const hsts = hstsOf(deps.config)
  let inFlight = 0
  const admitted: Inside = {
    ...inside,
    answer: (request, arrival) => {
      if (inFlight > mostInFlight) throw serviceUnavailable('Too many requests are being answered at once.')
      return inside.answer(request, arrival)
    },
  }
  return async (request, connected) => {
    const started = performance.now()
    const peer = clientAddress(request, connected, trustedProxies)
    const id = deps.random(9).toBase64({ alphabet: 'base64url' })
    const inner = withoutFormat(withoutPrefix(request, prefix))
    const path = pathOf(inner.url)
    const caller: Caller = {}
    inFlight += 1
    const response = await answer(deps, admitted, inner, path, { id, peer, caller })
    inFlight -= 1
    releaseBody(inner)
    finish(response, { path, id, hsts })
    const ms = Math.round((performance.now() - started) * 10) / 10
    deps.log('request', {
      id,
      peer,
      method: request.method,
      url: maskedUrl(request.url),
      status: response.status,
      ms,
      ...(response.status === 403 ? caller : {}),
    })
    return request.method === 'HEAD' ? withoutBody(response) : response
  }
}

/** As many connections as are served at once: Bun tells of none before it has sent a request (promise 12). */
const mostInFlight = 4096

async function answer(
  deps: Deps,
  inside: Inside,
  request: Request,
  path: string,
  arrival: Arrival,
): Promise<Response> {
  try {
    checkHost(request)
    checkPath(path)
    if (request.method === 'OPTIONS') return preflight(path, inside.methodsOf(path))
    const asked = request.method === 'HEAD' ? new Request(request, { method: 'GET' }) : request
    return await inside.answer(asked, arrival)
  } catch (cause) {
    return failed(deps, cause, arrival)
  }
}

/** The response to whatever was thrown. */
export const failed = (deps: Deps, cause: unknown, arrival: Arrival): Response =>
  errorResponse(faultOf(deps, cause, arrival), deps.config.baseUrl)

/** Whatever was thrown, as an error of the closed table; what nobody foresaw is logged and tells the client nothing. */
export function faultOf({ log, storage }: Deps, cause: unknown, { id }: Arrival): ApiError {
  if (cause instanceof ApiError) return cause
  const fault = storageFault(cause)
  if (fault !== undefined) {
    logStorageFault(log, fault)
    // A read may be the first to meet it.
    if (fault.problem === 'damaged') storage.refuseWrites(fault)
    return serviceUnavailable(storageProblems[fault.problem], fault.problem === 'busy' ? 5 : 30)
  }
  // Whoever or whatever a write is about was deleted after it was looked up.
  if (isForeignKey(cause)) return notFound('What this is about')
  log('fault', { id, why: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) })
  return internalError()
}

const isForeignKey = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_CONSTRAINT_FOREIGNKEY'

/** Host must be sent once and be a host. No link is built from it (D2), but a cache in between may use it. */
function checkHost(request: Request): void {
  const host = request.headers.get('host') ?? ''
  if (!/^(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/.test(host)) {
    throw invalidParams('Host must be sent once and name a host, with a port or without.')
  }
}

/** Requests are served with the base URL's path and without it (D54). */
function withoutPrefix(request: Request, prefix: string): Request {
  if (prefix === '') return request
  const { url } = request
  const start = url.indexOf('/', 8)
  const inner = innerTarget(url.slice(start), prefix)
  if (inner === undefined) return request
  return new Request(url.slice(0, start) + (inner.startsWith('/') ? inner : `/${inner}`), request)
}

/** A target without the path before it; without the path behind it if it is a well-known one (RFC 8414 §3.1). */
function innerTarget(target: string, prefix: string): string | undefined {
  const [, wellKnown = '', rest = ''] = /^(\/\.well-known\/[\w-]+)(.*)$/.exec(target) ?? []
  const start = wellKnown === '' ? target : rest
  const isBelow = start.startsWith(prefix) && /^(?:[/?]|$)/.test(start.slice(prefix.length))
  return isBelow ? wellKnown + start.slice(prefix.length) : undefined
}

/** Clients written for Rails may ask for `/v1/works.json`, which is `/v1/works` (D70). */
function withoutFormat(request: Request): Request {
  const { url } = request
  const path = pathOf(url)
  if (!path.endsWith('.json') || !/^\/v1\/.*[^/]\.json$/.test(path)) return request
  const end = url.indexOf(path, 8) + path.length
  return new Request(url.slice(0, end - '.json'.length) + url.slice(end), request)
}

/** The path of a request's URL; `new URL` would throw where the Host header is odd. */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : Math.max(0, url.indexOf('/', 8))
  const end = url.indexOf('?', start)
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

function checkPath(path: string): void {
  if (!path.includes('%')) return
  let decoded: string
  try {
    decoded = decodeURIComponent(path)
  } catch {
    throw invalidParams('A percent-encoding in the path is malformed or not UTF-8.')
  }
  if (decoded.includes('\0')) throw invalidParams('The path must not contain a NUL character.')
}

/** The head alone, with the length of the body it would have had (RFC 9110 §8.6); without it Bun would say 0. */
async function withoutBody(response: Response): Promise<Response> {
  const { status, headers } = response
  headers.set('Content-Length', String((await response.arrayBuffer()).byteLength))
  return new Response(null, { status, headers })
}
