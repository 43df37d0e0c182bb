import { Elysia } from 'elysia'
import { storageFault, storageProblems } from '../db/storage-fault'
import type { Deps } from '../deps'
import { ApiError, errorResponse, internalError, notFound, serviceUnavailable, unknownRoute } from './errors'
import { logStorageFault } from './log-storage'
import { type Arrival, requestContext } from './request-context'

/** Plugin: answers whatever is thrown in the one shape of errors (D27). */
export const errors = (deps: Deps) =>
  new Elysia({ name: 'errors' })
    .use(requestContext(deps))
    .onError({ as: 'global' }, ({ error, code, arrival, set }) => {
      // Elysia took the status from the error; with one other than 200 it would copy the response.
      set.status = 200
      const cause = code === 'NOT_FOUND' ? unknownRoute() : error
      return errorResponse(faultOf(deps, cause, arrival), deps.config.baseUrl)
    })

/** Whatever was thrown, as an error of the closed table; what nobody foresaw is logged and tells the client nothing. */
export function faultOf({ log, storage }: Deps, cause: unknown, arrival: Arrival | undefined): ApiError {
  if (cause instanceof ApiError) return cause
  const fault = storageFault(cause)
  if (fault !== undefined) {
    logStorageFault(log, fault)
    // A read may be the first to meet it.
    if (fault.problem === 'damaged') storage.refuseWrites(fault)
    return serviceUnavailable(storageProblems[fault.problem], fault.problem === 'busy' ? 5 : 30)
  }
  // Whoever or whatever a write is about was deleted after it was looked up.
  if (isForeignKey(cause)) return notFound('What this is about')
  const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  log('fault', { id: arrival?.id, why })
  return internalError()
}

const isForeignKey = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_CONSTRAINT_FOREIGNKEY'
