import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { errors } from './faults'
import { createGuards, type Guards } from './guards'
import { type AddHeaders, headersOfAnswers } from './headers'
import { contextOf, type IncomingRequest, type Peer, peersOf } from './incoming'
import { noteAnswer } from './note-answer'
import { createLimits, type Limits } from './rate-limit'

/** What every request goes through, with a route or without. */
export interface Edge {
  readonly limits: Limits | undefined
  readonly guards: Guards
  readonly addHeaders: AddHeaders
  peer(address: string): Peer
}

export const createEdge = (deps: Deps): Edge => ({
  limits: createLimits(deps),
  guards: createGuards(deps),
  addHeaders: headersOfAnswers(deps.config),
  peer: peersOf(deps.config.trustedProxies),
})

/** Has no routes yet. Handlers that return a promise must be `async`: Elysia 1.4 does not catch rejections of others. */
export const createServer = (deps: Deps, edge = createEdge(deps)) =>
  // With `standardHostname`, Elysia misreads the path if the host has fewer than four letters.
  new Elysia({ name: 'kiroku', handler: { standardHostname: false }, normalize: false })
    .decorate('limits', edge.limits)
    .derive({ as: 'global' }, ({ request }) => ({
      context: contextOf(deps, edge.peer, request as IncomingRequest),
    }))
    .use(errors(deps))
    .onTransform({ as: 'global' }, edge.guards.begin)
    .onBeforeHandle({ as: 'global' }, ({ request, path }) => edge.guards.check(request, path))
    // One for everything: each costs a call of its own.
    .mapResponse({ as: 'global' }, ({ request, path, route, responseValue, context }) => {
      edge.guards.end(request)
      const { headers, status } = responseValue as Response
      headers.set('X-Request-Id', context.id)
      edge.addHeaders(headers, path, context.headers)
      const url = (request as IncomingRequest).originalUrl
      noteAnswer(deps, { request, url, route, status, context })
    })

export type Server = ReturnType<typeof createServer>
