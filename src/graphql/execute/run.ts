import { AbortedGraphQLExecutionError, execute, GraphQLError } from 'graphql'
import type { ApiCall } from '../../api/endpoint'
import type { ApiError } from '../../http/errors'
import { declarations } from '../declarations'
import { createCatalogue } from '../schema/schema'
import type { Budget } from './budget'
import { maxAnswerBytes } from './budget'
import { createContext } from './context'
import { createDocuments } from './documents'
import { sentErrors } from './errors'

export interface Operation {
  readonly query: string
  /** A JSON object. */
  readonly variables: string | undefined
  readonly operationName: string | undefined
}

export interface Answer {
  readonly json: string
  /** Whether the answer depends only on the database, without errors or writes. */
  readonly isLasting: boolean
}

/** An answer, or the error that makes the request unavailable. */
export type Outcome = Answer | ApiError

const catalogue = createCatalogue(declarations)
const documentOf = createDocuments(catalogue)

/** `id` of the request, for the log. Never throws. */
export async function run(call: ApiCall, id: string, operation: Operation): Promise<Outcome> {
  try {
    return await answer(call, id, operation)
  } catch (cause) {
    const { errors, unavailable } = sentErrors(call.deps, id, [cause])
    return unavailable ?? failed({ errors })
  }
}

async function answer(call: ApiCall, id: string, operation: Operation): Promise<Outcome> {
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

const failed = (body: object): Answer => ({ json: JSON.stringify(body), isLasting: false })

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
