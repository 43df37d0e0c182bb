import type { ApiCall, EndpointRequest, SharedState } from '../api/endpoint'
import { openCall } from '../api/open-call'
import { ApiError, errorResponse, jsonHeaders } from '../http/errors'
import { NotText, type RawValues } from '../http/request-values'
import type { Server } from '../http/server'
import { addGraphqlBody } from './body'
import type { Operation } from './execute/run'

export const graphqlPath = '/graphql'

/** GraphQL beside REST: same tokens, limits and headers. The language is loaded by the first request. */
export const graphql =
  (shared: SharedState) =>
  (server: Server): Server => {
    server.route(
      'POST',
      graphqlPath,
      async ({ request, context, limits }) => answerGraphql(shared, { request, context, limits }),
      { parse: 'none' },
    )
    return server
  }

async function answerGraphql(shared: SharedState, request: EndpointRequest): Promise<Response> {
  try {
    const call = await openCall(shared, request, addGraphqlBody)
    return await answerCall(call, request.context.id)
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    if (cause.type === 'unauthorized')
      return new Response('{"message":"Not authorized"}', {
        status: 401,
        headers: { ...jsonHeaders, ...cause.headers },
      })
    if (cause.type === 'invalid_params' && !('WWW-Authenticate' in cause.headers))
      return answerErrors(cause.violations)
    return errorResponse(cause, shared.deps.config.baseUrl)
  }
}

async function answerCall(call: ApiCall, id: string): Promise<Response> {
  const operation = operationIn(call.sent)
  if (operation === undefined) return answerErrors(['query is required: a text that is not empty.'])
  const { run } = await import('./execute/run')
  const outcome = await run(call, id, operation)
  if (outcome instanceof ApiError) throw outcome
  return new Response(outcome, { headers: jsonHeaders })
}

const answerErrors = (messages: readonly string[]) =>
  Response.json({ errors: messages.map((message) => ({ message })) }, { headers: jsonHeaders })

function operationIn(sent: RawValues): Operation | undefined {
  const query = textOf(sent, 'query')
  if (query === undefined) return undefined
  return { query, variables: textOf(sent, 'variables'), operationName: textOf(sent, 'operationName') }
}

function textOf(sent: RawValues, name: string): string | undefined {
  const value = sent.get(name)
  return value === undefined || value instanceof NotText || value.trim() === '' ? undefined : value
}
