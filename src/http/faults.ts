import { Elysia } from 'elysia'
import { storageFault, storageProblems } from '../db/storage-fault'
import type { Deps } from '../deps'
import { stackOf } from '../log/stack'
import { ApiError, errorResponse, internalError, notFound, serviceUnavailable, unknownRoute } from './errors'
import type { IncomingRequest } from './incoming'
import { logStorageFault } from './log-storage'

export const errors = (deps: Deps) =>
  new Elysia({ name: 'errors' }).onError({ as: 'global' }, ({ error, code, request, set }) => {
    // Elysia set the status from the error; unless it is 200, Elysia would copy the response.
    set.status = 200
    const cause = code === 'NOT_FOUND' ? unknownRoute() : error
    return errorResponse(faultOf(deps, cause, (request as IncomingRequest).id), deps.config.baseUrl)
  })

/** Maps anything thrown to an `ApiError`; an unexpected error is logged and becomes internal_error. */
export function faultOf({ log, storage }: Deps, cause: unknown, id: string): ApiError {
  if (cause instanceof ApiError) return cause
  const fault = storageFault(cause)
  if (fault !== undefined) {
    logStorageFault(log, fault)
    // A read may be the first to discover the damage.
    if (fault.problem === 'damaged') storage.refuseWrites(fault)
    return serviceUnavailable(storageProblems[fault.problem], fault.problem === 'busy' ? 5 : 30)
  }
  // The row that a write refers to was deleted after the lookup.
  if (isForeignKey(cause)) return notFound('The item that this refers to')
  const why = cause instanceof Error ? stackOf(cause) : String(cause)
  log('fault', { id, why })
  return internalError(id)
}

const isForeignKey = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_CONSTRAINT_FOREIGNKEY'
