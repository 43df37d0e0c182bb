import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { clientAddress } from './client-address'
import type { IncomingRequest } from './incoming'

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

export interface Caller {
  user?: number
  token?: number
  session?: number
}

export const requestContext = (deps: Deps) =>
  new Elysia({ name: 'request-context' }).derive({ as: 'global' }, ({ request }) => ({
    context: contextOf(deps, request as IncomingRequest),
  }))

const contextOf = ({ config }: Deps, request: IncomingRequest): RequestContext => ({
  id: request.id,
  peer: clientAddress(request, request.peer, config.trustedProxies),
  startedAt: performance.now(),
  caller: {},
  headers: {},
})
