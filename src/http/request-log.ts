import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import type { IncomingRequest } from './incoming'
import { maskedUrl } from './masked-url'
import { requestContext } from './request-context'

/** Plugin: logs a line for every request. */
export const requestLog = (deps: Deps) =>
  new Elysia({ name: 'request-log' })
    .use(requestContext(deps))
    .mapResponse({ as: 'global' }, ({ request, responseValue, arrival }) => {
      const { id, peer, startedAt, caller } = arrival
      const { status } = responseValue as Response
      deps.log('request', {
        id,
        peer,
        method: request.method,
        url: maskedUrl((request as IncomingRequest).originalUrl),
        status,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        ...(status === 403 ? caller : {}),
      })
    })
