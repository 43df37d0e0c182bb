import { AbortedGraphQLExecutionError, execute, GraphQLError } from 'graphql'
import type { ApiCall } from '../../api/endpoint'
import type { Deps } from '../../deps'
import { type ApiError, errorTypes } from '../../http/errors'
import { faultOf } from '../../http/faults'
import { declarations } from '../declarations'
import { createCatalogue } from '../schema/schema'
import { type Budget, maxAnswerBytes } from './budget'
import { createContext } from './context'
import { createDocuments, InvalidDocument } from './documents'

export interface GraphqlOperation {
  readonly query: string
  /** A JSON object. */
  readonly variables: string | undefined
  readonly operationName: string | undefined
}

export interface GraphqlAnswer {
  readonly json: string
  /** Whether the answer depends only on the database, without errors or writes. */
  readonly isLasting: boolean
}

/** An answer, or the error that makes the request unavailable. */
export type GraphqlOutcome = GraphqlAnswer | ApiError

const catalogue = createCatalogue(declarations)
const documentOf = createDocuments(catalogue)

/** `id` of the request, for the log. Never throws. */
export async function run(call: ApiCall, id: string, operation: GraphqlOperation): Promise<GraphqlOutcome> {
  try {
    return await answer(call, id, operation)
  } catch (cause) {
    const { errors, unavailable } = sentErrors(call.deps, id, [cause])
    return unavailable ?? failed({ errors })
  }
}

async function answer(call: ApiCall, id: string, operation: GraphqlOperation): Promise<GraphqlOutcome> {
  const { query, operationName } = operation
  const document = await documentOf(query)
  const { context, budget } = createContext(call, catalogue, document)
  const variableValues = variablesOf(operation.variables)
  const request = { schema: catalogue.schema, document: document.ast, contextValue: context, variableValues }
  try {
    const { data, errors: thrown = [] } = await executed(budget, {
      ...request,
      ...(operationName !== undefined && { operationName }),
      abortSignal: budget.signal,
    })
    const { errors, unavailable } = sentErrors(call.deps, id, thrown)
    if (unavailable !== undefined && !context.hasWritten) return unavailable
    if (errors.length > 0) return failed({ ...(data !== undefined && { data }), errors })
    const json = budget.isLarge ? await jsonInPieces({ data }, budget) : JSON.stringify({ data })
    if (json.length > maxAnswerBytes) throw new GraphQLError('the answer is larger than 20 MB; ask for less')
    return { json, isLasting: !context.hasWritten }
  } finally {
    budget.end()
  }
}

/** An error as sent, without internals of the server. */
interface SentError {
  readonly message: string
  readonly locations?: GraphQLError['locations']
  readonly path?: GraphQLError['path']
}

interface RequestErrors {
  readonly errors: readonly SentError[]
  /** Set if the server cannot answer the request right now. */
  readonly unavailable: ApiError | undefined
}

/** `id` of the request, for the log. */
function sentErrors(deps: Deps, id: string, thrown: readonly unknown[]): RequestErrors {
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

const failed = (body: object): GraphqlAnswer => ({ json: JSON.stringify(body), isLasting: false })

/** If a limit was passed, that is the only error. */
async function executed(budget: Budget, request: Parameters<typeof execute>[0]) {
  try {
    const result = await execute(request)
    if (budget.failure === undefined) return result
  } catch (cause) {
    if (!(cause instanceof AbortedGraphQLExecutionError) && budget.failure === undefined) throw cause
  }
  return { data: null, errors: [budget.failure] }
}

/** The same text as of `JSON.stringify`, made with pauses in which other requests are answered. */
async function jsonInPieces(value: unknown, budget: Budget): Promise<string> {
  const pieces: string[] = []
  await addJson(pieces, value, budget)
  return pieces.join('')
}

async function addJson(pieces: string[], value: unknown, budget: Budget): Promise<void> {
  if (!hasLists(value)) {
    pieces.push(JSON.stringify(value))
  } else if (Array.isArray(value)) {
    for (const [at, one] of value.entries()) {
      pieces.push(at === 0 ? '[' : ',')
      await addJson(pieces, one, budget)
      if (at % 100 === 99) await budget.pause()
    }
    pieces.push(value.length === 0 ? '[]' : ']')
  } else {
    for (const [at, [name, one]] of Object.entries(value).entries()) {
      pieces.push(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:`)
      await addJson(pieces, one, budget)
    }
    pieces.push('}')
  }
}

/** Whether a value contains a list anywhere. */
const hasLists = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || Object.values(value).some((one) => hasLists(one)))

/** Throws unless it is an object, and for texts that break D12. */
function variablesOf(json: string | undefined): Record<string, unknown> {
  if (json === undefined) return {}
  let variables: unknown
  try {
    variables = JSON.parse(json, (_, value) => (typeof value === 'string' ? checked(value) : value))
  } catch (cause) {
    throw cause instanceof GraphQLError ? cause : new GraphQLError('variables must be a JSON object')
  }
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables))
    throw new GraphQLError('variables must be an object')
  return variables as Record<string, unknown>
}

function checked(text: string): string {
  if (text.includes('\0')) throw new GraphQLError('variables must not contain a NUL character')
  if (!text.isWellFormed()) throw new GraphQLError('variables must not contain a lone surrogate')
  return text
}
