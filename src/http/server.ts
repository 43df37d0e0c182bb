import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { cors } from './cors'
import { errors } from './faults'
import { guards } from './guards'
import { responseHeaders } from './headers'
import { limits } from './rate-limit'
import { requestContext } from './request-context'
import { requestLog } from './request-log'
import { requestMetrics } from './request-metrics'

/** Has no routes yet. Handlers that return a promise must be `async`: Elysia 1.4 does not catch rejections of others. */
export const createServer = (deps: Deps) =>
  // With `standardHostname`, Elysia misreads the path if the host has fewer than four letters.
  new Elysia({ name: 'kiroku', handler: { standardHostname: false }, normalize: false })
    .use(requestContext(deps))
    .use(limits(deps))
    .use(errors(deps))
    .use(guards(deps))
    .use(responseHeaders(deps))
    .use(cors())
    .use(requestMetrics(deps))
    .use(requestLog(deps))

export type Server = ReturnType<typeof createServer>
