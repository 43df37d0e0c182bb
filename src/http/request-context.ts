import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { clientAddress } from './client-address'
import type { IncomingRequest } from './incoming'

/** What is known of a request besides the request. */
export interface Arrival {
  /** Names the request in the log and in the X-Request-Id header. */
  readonly id: string
  /** The address it came from, behind the proxies that are trusted. */
  readonly peer: string
  /** When it arrived, by `performance.now()`. */
  readonly startedAt: number
  /** Whoever finds out who is asking notes it here; the log names them where they are refused (ASVS 16.3.2). */
  readonly caller: Caller
  /** Headers of its response, whatever that will be. */
  readonly headers: Record<string, string>
}

/** Who is asking, by numbers. */
export interface Caller {
  user?: number
  token?: number
  session?: number
}

/** Plugin: derives `arrival`, which every other plugin and all handlers read. */
export const requestContext = (deps: Deps) =>
  new Elysia({ name: 'request-context' }).derive({ as: 'global' }, ({ request }) => ({
    arrival: arrivalOf(deps, request as IncomingRequest),
  }))

const arrivalOf = ({ config, random }: Deps, request: IncomingRequest): Arrival => ({
  id: random(9).toBase64({ alphabet: 'base64url' }),
  peer: clientAddress(request, request.peer, config.trustedProxies),
  startedAt: performance.now(),
  caller: {},
  headers: {},
})
