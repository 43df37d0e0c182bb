import type { Deps } from '../deps'
import { type Sender, strangerAt } from '../http/bodies-in-flight'
import { allow, allowFrom } from '../http/rate-limit'
import { anonymousApiBody, apiBody, type BodyRules, type RawValues, readQuery } from '../http/request-values'
import { badToken, bearerToken, noToken, recordTokenUse, requireScope, type Scope, viewerOf } from './bearer'
import type { ApiCall, EndpointRequest, SharedState } from './endpoint'

/** Adds the values in the body to those sent otherwise. */
export type AddBody = (sent: RawValues, request: Request, rules: BodyRules, sender: Sender) => Promise<void>

/** Finds out who is calling and what was sent. Throws in the order of D28. */
export async function openCall(
  shared: SharedState,
  endpointRequest: EndpointRequest,
  addBody: AddBody,
  scope?: Scope,
): Promise<ApiCall> {
  const { deps } = shared
  const { request, context, limits } = endpointRequest
  const partial = await readUntilToken(endpointRequest, deps, addBody).catch((cause: unknown) => {
    // The token is not known yet, so this counts against the address.
    allowFrom(limits?.byAddress, context.peer)
    throw cause
  })
  const caller = await authenticate(shared, endpointRequest, partial.token)
  const { userId, tokenId } = caller.viewer
  Object.assign(context.caller, { user: userId, token: tokenId })
  // Set before any refusal, since refusals carry these headers too.
  Object.assign(context.headers, allow(limits?.byToken, String(tokenId)))
  recordTokenUse(deps, caller.viewer)
  if (scope !== undefined) requireScope(caller.viewer, scope)
  const sent = await readRest(request, partial, deps, addBody, userId)
  for (const [name, value] of Object.entries(endpointRequest.params ?? {})) sent.set(name, value)
  // Reading a body may take long, and the token must still be valid afterwards (BR-09).
  const now = partial.isWhole ? caller : await authenticate(shared, endpointRequest, partial.token)
  const { renderer, bodies } = shared
  return { deps, renderer, bodies, sent, ...now }
}

interface PartialRequest {
  readonly sent: RawValues
  readonly token: string | undefined
  /** Whether the body has been read too, or there is none. */
  readonly isWhole: boolean
}

/** Reads the body only if the token is nowhere else: a stranger's body is not worth reading (D28). */
async function readUntilToken(
  { request, context }: EndpointRequest,
  { config }: Deps,
  addBody: AddBody,
): Promise<PartialRequest> {
  const sent = readQuery(request, apiBody)
  const token = bearerToken(request, sent, config)
  if (request.method === 'GET' || request.method === 'HEAD' || request.body === null)
    return { sent, token, isWhole: true }
  if (token !== undefined) return { sent, token, isWhole: false }
  await addBody(sent, request, anonymousApiBody, strangerAt(context.peer))
  return { sent, token: bearerToken(request, sent, config), isWhole: true }
}

/** Throws for a second token in the body (D30). */
async function readRest(
  request: Request,
  { sent, isWhole }: PartialRequest,
  { config }: Deps,
  addBody: AddBody,
  userId: number,
): Promise<RawValues> {
  if (isWhole) return sent
  await addBody(sent, request, apiBody, { pool: 'api', key: String(userId) })
  bearerToken(request, sent, config)
  return sent
}

type Authenticated = Pick<ApiCall, 'viewer' | 'at'>

/** Failures count against the address, so that tokens cannot be guessed at will. */
async function authenticate(
  { deps, viewers }: SharedState,
  { context, limits }: EndpointRequest,
  token: string | undefined,
): Promise<Authenticated> {
  const at = deps.generations.last()
  const viewer = token === undefined ? undefined : await viewerOf(deps, viewers, token, at)
  if (viewer !== undefined) return { viewer, at }
  Object.assign(context.headers, allowFrom(limits?.byAddress, context.peer))
  throw token === undefined ? noToken() : badToken()
}
