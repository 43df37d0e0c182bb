import { type Cache, createCache } from '../cache/cache'
import type { Deps } from '../deps'
import { allow, allowFrom, type Limits } from '../http/rate-limit'
import type { Arrival } from '../http/request-context'
import { addBody, apiBody, readQuery, type Sent, strangersApiBody } from '../http/sent'
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
import type { Body } from './body'
import type { Operation } from './openapi/openapi'
import { createRenderer, type Renderer } from './render'

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
  /** The version of the database when the request began: what is read from then on may be kept under it. */
  readonly version: number
  readonly bodies: Cache<string, Body>
}

/** What endpoints share while the application runs. */
export interface Shared {
  readonly deps: Deps
  readonly renderer: Renderer
  readonly viewers: Cache<string, Viewer>
  readonly bodies: Cache<string, Body>
}

export const createShared = (deps: Deps): Shared => ({
  deps,
  renderer: createRenderer(deps.read, deps.config),
  viewers: createCache(1_000_000, () => 200),
  bodies: createCache(8_000_000, ({ size }) => size),
})

/** A request on its way to an endpoint. */
interface Asked {
  readonly request: Request
  /** The path's parameters. */
  readonly params?: Readonly<Record<string, string>>
  readonly arrival: Arrival
  /** Undefined when requests are not limited. */
  readonly limits: Limits | undefined
}

/** Runs the checks in their order (D28): token, scope, then the endpoint's own parameters and look-ups. */
export async function serveEndpoint(endpoint: Endpoint, shared: Shared, asked: Asked): Promise<Response> {
  const { deps } = shared
  const { request, arrival, limits } = asked
  const opened = await open(request, deps).catch((cause: unknown) => {
    // Whose it is nobody knows yet, so it counts for the address.
    allowFrom(limits?.byAddress, arrival.peer)
    throw cause
  })
  const seen = await authenticate(shared, asked, opened.token)
  const { userId, tokenId } = seen.viewer
  Object.assign(arrival.caller, { user: userId, token: tokenId })
  // What is left of an allowance is told with a refusal too.
  Object.assign(arrival.headers, allow(limits?.byToken, String(tokenId)))
  touch(deps, seen.viewer)
  requireScope(seen.viewer, endpoint.scope)
  const sent = await allSent(request, opened, deps)
  for (const [name, value] of Object.entries(asked.params ?? {})) sent.set(name, value)
  // A body takes as long as its sender likes; whose it is has to hold when it is there (BR-09).
  const now = opened.isWhole ? seen : await authenticate(shared, asked, opened.token)
  const { renderer, bodies } = shared
  return endpoint.answer({ deps, renderer, bodies, sent, ...now })
}

/** A request as far as its token is known. */
interface Opened {
  readonly sent: Sent
  readonly token: string | undefined
  /** Whether the body is read too, or there is none to read. */
  readonly isWhole: boolean
}

/** Looks for the token, in the body only where it is nowhere else: a stranger's body is not worth reading (D28). */
async function open(request: Request, { config }: Deps): Promise<Opened> {
  const sent = readQuery(request, apiBody)
  const token = bearerToken(request, sent, config)
  if (request.method === 'GET' || request.method === 'HEAD' || request.body === null)
    return { sent, token, isWhole: true }
  if (token !== undefined) return { sent, token, isWhole: false }
  await addBody(sent, request, strangersApiBody)
  return { sent, token: bearerToken(request, sent, config), isWhole: true }
}

/** Reads what is left to read. Throws for a second token in it (D30). */
async function allSent(request: Request, { sent, isWhole }: Opened, { config }: Deps): Promise<Sent> {
  if (isWhole) return sent
  await addBody(sent, request, apiBody)
  bearerToken(request, sent, config)
  return sent
}

/** Who the caller is, at a version of the database. */
type Seen = Pick<Call, 'viewer' | 'version'>

/** Requests without a good token are counted by address, so that tokens cannot be tried out at will. */
async function authenticate(
  { deps, viewers }: Shared,
  { arrival, limits }: Asked,
  token: string | undefined,
): Promise<Seen> {
  const version = deps.version()
  const viewer = token === undefined ? undefined : await viewerOf(deps, viewers, token, version)
  if (viewer !== undefined) return { viewer, version }
  Object.assign(arrival.headers, allowFrom(limits?.byAddress, arrival.peer))
  throw token === undefined ? noToken() : badToken()
}
