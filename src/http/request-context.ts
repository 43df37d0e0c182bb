import type { Deps } from '../deps'
import { clientAddress, type Peer } from './client-address'
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
