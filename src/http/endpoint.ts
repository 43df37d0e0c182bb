import type { Deps } from '../deps'
import {
  badToken,
  bearerToken,
  noToken,
  requireScope,
  type Scope,
  touch,
  type Viewer,
  viewerOf,
} from './bearer'
import { ApiError, rateLimited } from './errors'
import type { Operation } from './openapi'
import type { RateLimiter } from './rate-limit'
import type { Renderer } from './render'
import { readSent, type Sent } from './sent'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** One `/v1` endpoint, as `defineList` and `defineCommand` make them. */
export interface Endpoint {
  readonly method: Method
  /** `/v1/…`, path parameters as `:id`. */
  readonly path: string
  readonly scope: Scope
  readonly operation: Operation
  /** Answers a caller who may call it. Throws `ApiError`. */
  answer(call: Call): Promise<Response>
}

/** A request that passed the checks that every endpoint shares. */
export interface Call {
  readonly deps: Deps
  readonly renderer: Renderer
  readonly viewer: Viewer
  readonly sent: Sent
}

/** What endpoints share while the application runs. */
export interface Shared {
  readonly deps: Deps
  readonly renderer: Renderer
  /** Undefined when requests are not limited. */
  readonly limits: Limits | undefined
}

export interface Limits {
  readonly byToken: RateLimiter
  readonly byAddress: RateLimiter
}

/** Runs the checks in their order (D28): token, scope, then the endpoint's own parameters and look-ups. */
export async function serveEndpoint(
  endpoint: Endpoint,
  { deps, renderer, limits }: Shared,
  request: Request,
  path: Readonly<Record<string, string>> | undefined,
  peer: string,
): Promise<Response> {
  const { sent, token } = await open(request).catch((cause: unknown) => {
    // Whose it is nobody knows yet, so it counts for the address.
    allow(limits?.byAddress, peer)
    throw cause
  })
  const viewer = await authenticate(deps, token, limits, peer)
  const headers = allow(limits?.byToken, String(viewer.tokenId))
  touch(deps, viewer)
  for (const [name, value] of Object.entries(path ?? {})) sent.set(name, value)
  const response = await answer(endpoint, { deps, renderer, viewer, sent }, headers)
  for (const name in headers) response.headers.set(name, headers[name] ?? '')
  return response
}

/** What is left of an allowance is told with a refusal too. */
async function answer(
  endpoint: Endpoint,
  call: Call,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  try {
    requireScope(call.viewer, endpoint.scope)
    return await endpoint.answer(call)
  } catch (cause) {
    throw cause instanceof ApiError ? cause.with(headers) : cause
  }
}

async function open(request: Request): Promise<{ sent: Sent; token: string | undefined }> {
  const sent = await readSent(request)
  return { sent, token: bearerToken(request, sent) }
}

/** Requests without a good token are counted by address, so that tokens cannot be tried out at will. */
async function authenticate(
  deps: Deps,
  token: string | undefined,
  limits: Limits | undefined,
  peer: string,
): Promise<Viewer> {
  const viewer = token === undefined ? undefined : await viewerOf(deps, token)
  if (viewer !== undefined) return viewer
  allow(limits?.byAddress, peer)
  throw token === undefined ? noToken() : badToken()
}

/** Takes one request from an allowance; returns the headers that tell what is left. Throws rate_limited (D53). */
function allow(limiter: RateLimiter | undefined, key: string): Record<string, string> {
  if (limiter === undefined) return {}
  const { allowed, remaining, retryAfter } = limiter.take(key)
  const headers = {
    'RateLimit-Policy': limiter.policy,
    RateLimit: `"default";r=${remaining};t=${retryAfter}`,
  }
  if (!allowed) throw rateLimited(retryAfter, headers)
  return headers
}
