import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { cors } from './cors'
import { errors } from './faults'
import { guards } from './guards'
import { responseHeaders } from './headers'
import { limits } from './rate-limit'
import { requestContext } from './request-context'
import { requestLog } from './request-log'

/**
 * An application of no routes yet: what every request goes through, in this order. A handler that returns a promise has
 * to be an `async` function: Elysia 1.4 knows others for synchronous, and does not catch what such a promise rejects with.
 */
export const createServer = (deps: Deps) =>
  // Without standardHostname a host of fewer than four letters would hide the path from the router.
  new Elysia({ name: 'kiroku', handler: { standardHostname: false }, normalize: false })
    .use(requestContext(deps))
    .use(limits(deps))
    .use(errors(deps))
    .use(guards(deps))
    .use(responseHeaders(deps))
    .use(cors())
    .use(requestLog(deps))

export type Server = ReturnType<typeof createServer>
