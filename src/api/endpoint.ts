import { type Cache, createCache } from '../cache/cache'
import type { Deps } from '../deps'
import { allow, allowFrom, type Limits } from '../http/rate-limit'
import type { RequestContext } from '../http/request-context'
import { addBody, apiBody, type RawValues, readQuery, strangersApiBody } from '../http/request-values'
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
import type { CachedBody } from './body'
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
  answer(call: ApiCall): Promise<Response>
}

/** A request that passed the checks that every endpoint shares. */
export interface ApiCall {
  readonly deps: Deps
  readonly renderer: Renderer
  readonly viewer: Viewer
  readonly sent: RawValues
  /** The version of the database when the request began: what is read from then on may be kept under it. */
  readonly version: number
  readonly bodies: Cache<string, CachedBody>
}

/** What endpoints share while the application runs. */
export interface Shared {
  readonly deps: Deps
  readonly renderer: Renderer
  readonly viewers: Cache<string, Viewer>
  readonly bodies: Cache<string, CachedBody>
}

export const createShared = (deps: Deps): Shared => ({
  deps,
  renderer: createRenderer(deps.read, deps.config),
  viewers: createCache(1_000_000, () => 200),
  bodies: createCache(8_000_000, ({ size }) => size),
})

/** A request on its way to an endpoint. */
interface EndpointRequest {
  readonly request: Request
  /** The path's parameters. */
  readonly params?: Readonly<Record<string, string>>
  readonly context: RequestContext
  /** Undefined when requests are not limited. */
  readonly limits: Limits | undefined
}

/** Runs the checks in their order (D28): token, scope, then the endpoint's own parameters and look-ups. */
export async function serveEndpoint(
  endpoint: Endpoint,
  shared: Shared,
  asked: EndpointRequest,
): Promise<Response> {
  const { deps } = shared
  const { request, context, limits } = asked
  const partial = await readUntilToken(request, deps).catch((cause: unknown) => {
    // Whose it is nobody knows yet, so it counts for the address.
    allowFrom(limits?.byAddress, context.peer)
    throw cause
  })
  const caller = await authenticate(shared, asked, partial.token)
  const { userId, tokenId } = caller.viewer
  Object.assign(context.caller, { user: userId, token: tokenId })
  // What is left of an allowance is told with a refusal too.
  Object.assign(context.headers, allow(limits?.byToken, String(tokenId)))
  touch(deps, caller.viewer)
  requireScope(caller.viewer, endpoint.scope)
  const sent = await readRest(request, partial, deps)
  for (const [name, value] of Object.entries(asked.params ?? {})) sent.set(name, value)
  // A body takes as long as its sender likes; whose it is has to hold when it is there (BR-09).
  const now = partial.isWhole ? caller : await authenticate(shared, asked, partial.token)
  const { renderer, bodies } = shared
  return endpoint.answer({ deps, renderer, bodies, sent, ...now })
}

/** A request as far as its token is known. */
interface PartialRequest {
  readonly sent: RawValues
  readonly token: string | undefined
  /** Whether the body is read too, or there is none to read. */
  readonly isWhole: boolean
}

/** Looks for the token, in the body only where it is nowhere else: a stranger's body is not worth reading (D28). */
async function readUntilToken(request: Request, { config }: Deps): Promise<PartialRequest> {
  const sent = readQuery(request, apiBody)
  const token = bearerToken(request, sent, config)
  if (request.method === 'GET' || request.method === 'HEAD' || request.body === null)
    return { sent, token, isWhole: true }
  if (token !== undefined) return { sent, token, isWhole: false }
  await addBody(sent, request, strangersApiBody)
  return { sent, token: bearerToken(request, sent, config), isWhole: true }
}

/** Reads what is left to read. Throws for a second token in it (D30). */
async function readRest(
  request: Request,
  { sent, isWhole }: PartialRequest,
  { config }: Deps,
): Promise<RawValues> {
  if (isWhole) return sent
  await addBody(sent, request, apiBody)
  bearerToken(request, sent, config)
  return sent
}

/** Who the caller is, at a version of the database. */
type Authenticated = Pick<ApiCall, 'viewer' | 'version'>

/** Requests without a good token are counted by address, so that tokens cannot be tried out at will. */
async function authenticate(
  { deps, viewers }: Shared,
  { context, limits }: EndpointRequest,
  token: string | undefined,
): Promise<Authenticated> {
  const version = deps.version()
  const viewer = token === undefined ? undefined : await viewerOf(deps, viewers, token, version)
  if (viewer !== undefined) return { viewer, version }
  Object.assign(context.headers, allowFrom(limits?.byAddress, context.peer))
  throw token === undefined ? noToken() : badToken()
}
