import { type Cache, createCache } from '../cache/cache'
import type { Deps } from '../deps'
import { allow, allowFrom, type Limits } from '../http/rate-limit'
import type { RequestContext } from '../http/request-context'
import { addBody, anonymousApiBody, apiBody, type RawValues, readQuery } from '../http/request-values'
import { receiveUpload, type Upload, type UploadedFile, type UploadRules } from '../http/upload/receive'
import {
  badToken,
  bearerToken,
  noToken,
  recordTokenUse,
  requireScope,
  type Scope,
  type Viewer,
  viewerOf,
} from './bearer'
import type { CachedBody } from './body'
import { measureCaches } from './measure-caches'
import type { Operation } from './openapi/openapi'
import { createRenderer, createRenderingCache, type Renderer } from './render'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface Endpoint {
  readonly method: Method
  /** `/v1/…`, path parameters as `:id`. */
  readonly path: string
  readonly scope: Scope
  readonly operation: Operation
  /** The body is multipart, with a file; the token must stand outside of it. */
  readonly upload?: UploadRules
  answer(call: ApiCall): Promise<Response>
}

export interface ApiCall {
  readonly deps: Deps
  readonly renderer: Renderer
  readonly viewer: Viewer
  readonly sent: RawValues
  /** Database version at the start of the request; what is read later may be cached under it. */
  readonly version: number
  readonly bodies: Cache<string, CachedBody>
  /** There until the answer is made. */
  readonly file: UploadedFile | undefined
}

export interface SharedState {
  readonly deps: Deps
  readonly renderer: Renderer
  readonly viewers: Cache<string, Viewer>
  readonly bodies: Cache<string, CachedBody>
}

export function createShared(deps: Deps): SharedState {
  const caches = {
    viewers: createCache<string, Viewer>(1_000_000, () => 200),
    bodies: createCache<string, CachedBody>(8_000_000, ({ size }) => size),
    renderings: createRenderingCache(),
  }
  if (deps.metrics !== undefined) measureCaches(deps.metrics, caches)
  const { renderings, ...rest } = caches
  return { deps, renderer: createRenderer(deps.read, deps.config, renderings), ...rest }
}

interface EndpointRequest {
  readonly request: Request
  readonly params?: Readonly<Record<string, string>>
  readonly context: RequestContext
  readonly limits: Limits | undefined
}

/** The checks in their order (D28): token, scope, then the endpoint's own parameters and look-ups. */
export async function serveEndpoint(
  endpoint: Endpoint,
  shared: SharedState,
  endpointRequest: EndpointRequest,
): Promise<Response> {
  const { deps } = shared
  const { request, context, limits } = endpointRequest
  const partial = await readUntilToken(request, deps, endpoint).catch((cause: unknown) => {
    // Nobody knows the token yet, so it counts for the address.
    allowFrom(limits?.byAddress, context.peer)
    throw cause
  })
  const caller = await authenticate(shared, endpointRequest, partial.token)
  const { userId, tokenId } = caller.viewer
  Object.assign(context.caller, { user: userId, token: tokenId })
  // Before any refusal, which has these headers too.
  Object.assign(context.headers, allow(limits?.byToken, String(tokenId)))
  recordTokenUse(deps, caller.viewer)
  requireScope(caller.viewer, endpoint.scope)
  await using upload = endpoint.upload && (await receiveUpload(request, deps, endpoint.upload))
  const sent = await readRest(request, partial, deps, upload)
  for (const [name, value] of Object.entries(endpointRequest.params ?? {})) sent.set(name, value)
  // Reading a body may take long: the token must still be valid afterwards (BR-09).
  const now = partial.isWhole ? caller : await authenticate(shared, endpointRequest, partial.token)
  const { renderer, bodies } = shared
  return await endpoint.answer({ deps, renderer, bodies, sent, file: upload?.file, ...now })
}

interface PartialRequest {
  readonly sent: RawValues
  readonly token: string | undefined
  /** Whether the body was read too, or there is none. */
  readonly isWhole: boolean
}

/** Reads the body only if the token is nowhere else: a stranger's body is not worth reading (D28). */
async function readUntilToken(
  request: Request,
  { config }: Deps,
  { upload }: Endpoint,
): Promise<PartialRequest> {
  const sent = readQuery(request, apiBody)
  const token = bearerToken(request, sent, config)
  if (request.method === 'GET' || request.method === 'HEAD' || request.body === null)
    return { sent, token, isWhole: true }
  if (token !== undefined || upload !== undefined) return { sent, token, isWhole: false }
  await addBody(sent, request, anonymousApiBody)
  return { sent, token: bearerToken(request, sent, config), isWhole: true }
}

/** Throws for a second token in the body (D30). */
async function readRest(
  request: Request,
  { sent, isWhole }: PartialRequest,
  { config }: Deps,
  upload: Upload | undefined,
): Promise<RawValues> {
  if (upload !== undefined) for (const [name, value] of upload.values) sent.set(name, value)
  else if (isWhole) return sent
  else await addBody(sent, request, apiBody)
  bearerToken(request, sent, config)
  return sent
}

type Authenticated = Pick<ApiCall, 'viewer' | 'version'>

/** Failures count for the address, so that tokens cannot be guessed at will. */
async function authenticate(
  { deps, viewers }: SharedState,
  { context, limits }: EndpointRequest,
  token: string | undefined,
): Promise<Authenticated> {
  const version = deps.version()
  const viewer = token === undefined ? undefined : await viewerOf(deps, viewers, token, version)
  if (viewer !== undefined) return { viewer, version }
  Object.assign(context.headers, allowFrom(limits?.byAddress, context.peer))
  throw token === undefined ? noToken() : badToken()
}
