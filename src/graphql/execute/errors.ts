import { GraphQLError } from 'graphql'
import type { Deps } from '../../deps'
import { type ApiError, errorTypes } from '../../http/errors'
import { faultOf } from '../../http/faults'
import { InvalidDocument } from './documents'

/** An error as sent, without internals of the server. */
export interface SentError {
  readonly message: string
  readonly locations?: GraphQLError['locations']
  readonly path?: GraphQLError['path']
}

export interface RequestErrors {
  readonly errors: readonly SentError[]
  /** Set if the server cannot answer the request right now. */
  readonly unavailable: ApiError | undefined
}

/** `id` of the request, for the log. */
export function sentErrors(deps: Deps, id: string, thrown: readonly unknown[]): RequestErrors {
  const causes = thrown.flatMap((one) => (one instanceof InvalidDocument ? one.problems : one))
  const faults = causes.map((cause) => faultIn(deps, id, cause))
  return {
    errors: causes.map((cause, at) => sent(cause, faults[at])),
    unavailable: faults.find((fault) => fault?.type === 'service_unavailable'),
  }
}

/** Undefined for errors of GraphQL or of our own rules. */
function faultIn(deps: Deps, id: string, cause: unknown): ApiError | undefined {
  const original = cause instanceof GraphQLError ? cause.originalError : cause
  if (cause instanceof GraphQLError && (original === undefined || original instanceof GraphQLError))
    return undefined
  return original instanceof RangeError ? undefined : faultOf(deps, original, id)
}

function sent(cause: unknown, fault: ApiError | undefined): SentError {
  const where = cause instanceof GraphQLError ? cause.toJSON() : undefined
  return {
    message: (fault === undefined ? messageOf(cause) : messageOfFault(fault)).slice(0, longestMessage),
    ...(where?.locations && { locations: where.locations }),
    ...(where?.path && { path: where.path }),
  }
}

/** Limits messages that repeat what was sent. */
const longestMessage = 1000

/** The only other cause is a stack overflow, which comes from nesting. */
const messageOf = (cause: unknown) =>
  cause instanceof GraphQLError ? cause.message : 'the query is nested too deeply'

const messageOfFault = ({ type, violations }: ApiError) =>
  type === 'invalid_params' || type === 'not_found'
    ? `${type === 'not_found' ? 'not found: ' : ''}${violations.join(' ')}`
    : errorTypes[type].message
