import type { Static, TObject } from 'typebox'
import type { Params } from '../api/params'
import { type ApiError, type ErrorType, errorTypes } from '../http/errors'
import { faultOf } from '../http/faults'
import { allowFrom } from '../http/rate-limit'
import type { Asked } from '../http/route'
import { type BodyRules, readBody, readQuery } from '../http/sent'
import { OAuthError, type OAuthErrorType, oauthErrorResponse, oauthHeaders } from './error'
import type { OAuthErrors, OAuthOperation, OAuthRoute } from './operation'
import { readTexts, type Texts } from './texts'

/** A request of a client that could be understood. */
export interface ClientCall extends Asked {
  readonly sent: Texts
}

/** Declares an endpoint that clients post to: parameters in, a JSON object out. Every other way is answered here. */
export function defineOAuthEndpoint<S extends TObject>(endpoint: {
  path: string
  summary: string
  description?: string
  params: Params
  /** Who may ask; a client by either way of sending its credentials, unless said. */
  by?: OAuthOperation['by']
  /** The answered object's schema. */
  schema: S
  /** Errors it can answer with besides those that every endpoint for clients has, by their status. */
  errors?: OAuthErrors
  /** Throws `OAuthError`. */
  answer(call: ClientCall): Promise<Static<S>>
}): OAuthRoute {
  const { path, answer, schema, errors = {}, by = ['client', 'anyone'], ...said } = endpoint
  return {
    method: 'POST',
    path,
    operation: { ...said, by, answers: { schema, errors: both(ofClients, errors) } },
    answer: (asked) =>
      answerClient(asked, async () => {
        const { request, deps } = asked
        const sent = readTexts(
          await readBody(request, clientBody),
          readQuery(request, clientBody),
          deps.config,
        )
        return await answer({ ...asked, sent })
      }),
  }
}

/** Answers a client with the object that `answer` makes, or with the error it throws, and what is left to its address. */
export async function answerClient(asked: Asked, answer: () => Promise<object>): Promise<Response> {
  try {
    Object.assign(asked.arrival.headers, allowFrom(asked.limits?.byClientAddress, asked.arrival.peer))
    return answered(await answer())
  } catch (cause) {
    return oauthErrorResponse(errorOf(asked, cause))
  }
}

/** The answer to a wrong method at an endpoint for clients, in its own shape (D45, TK-02). */
export const refuseClientMethod = ({ status, violations, headers }: ApiError): Response =>
  oauthErrorResponse(new OAuthError('invalid_request', violations.join(' '), { status, headers }))

/** The bodies of clients (D13, D45). */
const clientBody: BodyRules = { maxBytes: 64 * 1024, json: true, repeats: false, sender: 'anyone' }

const answered = (body: object): Response => Response.json(body, { headers: oauthHeaders })

function errorOf({ deps, arrival }: Asked, cause: unknown): OAuthError {
  if (cause instanceof OAuthError) {
    deps.log('client_refused', { id: arrival.id, error: cause.type, client: cause.beside.client })
    return cause
  }
  const { type, status, violations, headers } = faultOf(deps, cause, arrival)
  return new OAuthError(sameAs[type], violations.join(' '), { status, headers })
}

/** What OAuth calls an error that the API has too. */
const sameAs: Readonly<Record<ErrorType, OAuthErrorType>> = {
  invalid_params: 'invalid_request',
  unauthorized: 'invalid_token',
  forbidden: 'invalid_token',
  unknown_route: 'invalid_request',
  not_found: 'invalid_request',
  method_not_allowed: 'invalid_request',
  payload_too_large: 'invalid_request',
  rate_limited: 'temporarily_unavailable',
  internal_error: 'server_error',
  service_unavailable: 'temporarily_unavailable',
}

/** Errors of the API, as endpoints for clients answer them. */
export const errorsLike = (types: readonly ErrorType[]): OAuthErrors =>
  Object.fromEntries(types.map((type) => [errorTypes[type].status, [sameAs[type]]]))

/** The errors of everything that clients use. */
export const commonErrors = errorsLike([
  'invalid_params',
  'rate_limited',
  'internal_error',
  'service_unavailable',
])

const ofClients: OAuthErrors = {
  ...commonErrors,
  ...errorsLike(['payload_too_large']),
  401: ['invalid_client'],
}

function both(some: OAuthErrors, others: OAuthErrors): OAuthErrors {
  const added = Object.entries(others).map(([status, types]) => [
    status,
    [...(some[Number(status)] ?? []), ...types],
  ])
  return { ...some, ...Object.fromEntries(added) }
}
