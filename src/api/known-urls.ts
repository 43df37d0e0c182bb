import { jsonHeaders } from '../http/errors'
import type { IncomingRequest } from '../http/incoming'
import { noteAnswer } from '../http/note-answer'
import { remainingText } from '../http/rate-limit'
import type { Edge } from '../http/server'
import { bearerOf, isExpired, recordTokenUse } from './bearer'
import type { KnownUrl, SharedState } from './endpoint'

type AnswerKnown = (
  request: Request,
  { id, peer }: { readonly id: string; readonly peer: string },
) => Response | undefined

const urlKey = (url: string, authorization: string) => `${authorization} ${url}`

/** Only requests that ask for nothing but what URL and header say. */
const isPlain = ({ method, body }: Request) => method === 'GET' && body === null

/** Remembers that a request was answered by a route with the body of this key. */
export function rememberUrl(
  { urls }: Pick<SharedState, 'urls'>,
  request: Request,
  known: Omit<KnownUrl, 'token'>,
): void {
  const authorization = request.headers.get('authorization')
  if (authorization === null || !isPlain(request)) return
  const token = bearerOf(authorization)
  const url = (request as IncomingRequest).originalUrl
  if (token !== undefined) urls.set(urlKey(url, authorization), 0, { ...known, token })
}

/**
 * Answers a list that is kept, and was requested by the same URL with the same token before, without the router. Every
 * other request, and any that is to be refused, gets undefined: it goes the long way.
 */
export function knownAnswers({ deps, urls, viewers, bodies }: SharedState, edge: Edge): AnswerKnown {
  const headers = new Headers(jsonHeaders)
  const { limits } = edge
  edge.addHeaders(headers, '/v1/', limits === undefined ? {} : { 'RateLimit-Policy': limits.byToken.policy })
  return (request, { id, peer }) => {
    const startedAt = performance.now()
    const authorization = request.headers.get('authorization')
    if (authorization === null || !isPlain(request)) return undefined
    const known = urls.get(urlKey(request.url, authorization), 0)
    if (known === undefined || !edge.guards.mayPass(request)) return undefined
    const viewer = viewers.peek(known.token)
    if (viewer === undefined || isExpired(viewer, deps.now())) return undefined
    if (viewer.hasBlock !== known.hasBlock) return undefined
    const body = bodies.peek(known.body)
    if (body === undefined) return undefined
    const allowance = limits?.byToken.take(String(viewer.tokenId))
    if (allowance?.allowed === false) return undefined
    recordTokenUse(deps, viewer)
    const response = new Response(body.shared, { headers })
    response.headers.set('X-Request-Id', id)
    if (allowance !== undefined) response.headers.set('RateLimit', remainingText(allowance))
    const context = { id, peer, startedAt, caller: {} }
    noteAnswer(deps, { request, url: request.url, route: known.route, status: 200, context })
    return response
  }
}
