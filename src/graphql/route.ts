import { CachedBody } from '../api/body'
import type { ApiCall, EndpointRequest, SharedState } from '../api/endpoint'
import { type AddBody, openCall } from '../api/open-call'
import { bodyFor, refuseUnread } from '../http/answers-in-flight'
import { bytesOf } from '../http/bytes'
import { ApiError, errorResponse, invalidParams, jsonHeaders } from '../http/errors'
import {
  addForm,
  addValue,
  decodeUtf8,
  mediaType,
  NotText,
  type RawValues,
  readBytes,
} from '../http/request-values'
import type { Server } from '../http/server'
import type { GraphqlOperation } from './execute/run'

export const graphqlPath = '/graphql'

/** GraphQL with the tokens, limits and headers of REST. The first request loads the engine. */
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

const inBody = { where: 'the body', repeats: true }

/** Reads `query`, `variables` as JSON, `operationName`, `access_token`. Ignores problems in a stranger's body (D28). */
const addGraphqlBody: AddBody = async (sent, request, rules, sender) => {
  try {
    addOperation(sent, request, await readBytes(request, rules, sender))
  } catch (cause) {
    const isIgnored =
      sender.pool === 'strangers' && cause instanceof ApiError && cause.type === 'invalid_params'
    if (!isIgnored) throw cause
  }
}

/** Throws invalid_params for bodies that contain no operation. */
function addOperation(sent: RawValues, request: Request, bytes: Uint8Array): void {
  if (bytes.length === 0) return
  const type = mediaType(request)
  if (type === 'application/json') addJson(sent, decodeUtf8(bytes))
  else if (type === 'application/x-www-form-urlencoded') addForm(sent, decodeUtf8(bytes), inBody)
  else throw invalidParams('The body must be application/json or application/x-www-form-urlencoded.')
}

function addJson(sent: RawValues, text: string): void {
  const body = parsed(text)
  if (Array.isArray(body)) throw invalidParams('Batches are not supported: send one operation per request.')
  if (typeof body !== 'object' || body === null) throw invalidParams('The JSON body must be an object.')
  for (const [name, value] of Object.entries(body)) {
    if (!names.has(name) || value === null || value === undefined) continue
    if (typeof value === 'string') addValue(sent, name, value, inBody)
    else if (name === 'variables') sent.set(name, JSON.stringify(value))
    else throw invalidParams(`${name} must be text.`)
  }
}

const names: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'access_token'])

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidParams('The body is not valid JSON.')
  }
}

async function answerCall(call: ApiCall, id: string): Promise<Response> {
  const operation = operationIn(call.sent)
  if (operation === undefined) return answerErrors(['query is required: a text that is not empty.'])
  const { bodies, at } = call
  const key = cacheKey(call, operation)
  const cached = bodies.get(key)
  if (cached !== undefined) return new Response(cached.shared, { headers })
  const reader = `token ${call.viewer.tokenId}` as const
  refuseUnread(reader)
  const { run } = await import('./execute/run')
  const outcome = await run(call, id, operation)
  if (outcome instanceof ApiError) throw outcome
  const bytes = bytesOf(outcome.json)
  if (outcome.isLasting && bytes.length <= largestCached)
    bodies.set(key, { at, tables: 'any' }, new CachedBody(bytes))
  return new Response(bodyFor(reader, bytes), { headers })
}

/** Everything an answer depends on besides the database. Hashed, as documents are longer than a cache key may be. */
const cacheKey = ({ viewer }: ApiCall, operation: GraphqlOperation) =>
  `graphql ${viewer.userId} ${viewer.scopes.join()} ${sha256(JSON.stringify(operation))}`

const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('base64')

/** In bytes: about eight pages of REST. */
const largestCached = 200_000

/** Made once: a response copies `Headers` faster than a plain object. */
const headers = new Headers(jsonHeaders)

const answerErrors = (messages: readonly string[]) =>
  Response.json({ errors: messages.map((message) => ({ message })) }, { headers: jsonHeaders })

function operationIn(sent: RawValues): GraphqlOperation | undefined {
  const query = textOf(sent, 'query')
  if (query === undefined) return undefined
  return { query, variables: textOf(sent, 'variables'), operationName: textOf(sent, 'operationName') }
}

function textOf(sent: RawValues, name: string): string | undefined {
  const value = sent.get(name)
  return value === undefined || value instanceof NotText || value.trim() === '' ? undefined : value
}
