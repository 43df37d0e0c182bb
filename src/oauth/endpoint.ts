import type { Static, TObject } from 'typebox'
import type { Params } from '../api/params'
import { strangerAt } from '../http/bodies-in-flight'
import { type ApiError, type ErrorType, errorTypes } from '../http/errors'
import { faultOf } from '../http/faults'
import { allowFrom } from '../http/rate-limit'
import { type BodyRules, readBody, readQuery } from '../http/request-values'
import type { RouteContext } from '../http/route'
import { type ClientTexts, readClientTexts } from './client-texts'
import { OAuthError, type OAuthErrorType, oauthErrorResponse, oauthHeaders } from './error'
import type { OAuthErrors, OAuthOperation, OAuthRoute } from './operation'

export interface ClientCall extends RouteContext {
  readonly sent: ClientTexts
}

export function defineOAuthEndpoint<S extends TObject>(endpoint: {
  path: string
  summary: string
  description?: string
  params: Params
  /** Default: client credentials, sent in either way. */
  by?: OAuthOperation['by']
  schema: S
  errors?: OAuthErrors
  /** Throws `OAuthError`. */
  answer(call: ClientCall): Promise<Static<S>>
}): OAuthRoute {
  const { path, answer, schema, errors = {}, by = ['client', 'anyone'], ...docs } = endpoint
  return {
    method: 'POST',
    path,
    operation: { ...docs, by, answers: { schema, errors: mergedErrors(clientErrors, errors) } },
    answer: (asked) =>
      answerClient(asked, async () => {
        const { request, deps } = asked
        const sent = readClientTexts(
          await readBody(request, clientBody, strangerAt(asked.context.peer)),
          readQuery(request, clientBody),
          deps.config,
        )
        return await answer({ ...asked, sent })
      }),
  }
}

/** Also adds the rate limit headers for the client's address. */
export async function answerClient(asked: RouteContext, answer: () => Promise<object>): Promise<Response> {
  try {
    Object.assign(asked.context.headers, allowFrom(asked.limits?.byClientAddress, asked.context.peer))
    return answered(await answer())
  } catch (cause) {
    return oauthErrorResponse(errorOf(asked, cause))
  }
}

/** For requests with a wrong method (D45, TK-02). */
export const refuseClientMethod = ({ status, violations, headers }: ApiError): Response =>
  oauthErrorResponse(new OAuthError('invalid_request', violations.join(' '), { status, headers }))

/** D13, D45 */
const clientBody: BodyRules = { maxBytes: 64 * 1024, json: true, repeats: false }

const answered = (body: object): Response => Response.json(body, { headers: oauthHeaders })

function errorOf({ deps, context }: RouteContext, cause: unknown): OAuthError {
  if (cause instanceof OAuthError) {
    deps.log('client_refused', { id: context.id, error: cause.type, client: cause.details.client })
    return cause
  }
  const { type, status, violations, headers } = faultOf(deps, cause, context.id)
  return new OAuthError(oauthTypeOf[type], violations.join(' '), { status, headers })
}

const oauthTypeOf: Readonly<Record<ErrorType, OAuthErrorType>> = {
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

export const errorsLike = (types: readonly ErrorType[]): OAuthErrors =>
  Object.fromEntries(types.map((type) => [errorTypes[type].status, [oauthTypeOf[type]]]))

export const commonErrors = errorsLike([
  'invalid_params',
  'rate_limited',
  'internal_error',
  'service_unavailable',
])

const clientErrors: OAuthErrors = {
  ...commonErrors,
  ...errorsLike(['payload_too_large']),
  401: ['invalid_client'],
}

function mergedErrors(some: OAuthErrors, others: OAuthErrors): OAuthErrors {
  const added = Object.entries(others).map(([status, types]) => [
    status,
    [...(some[Number(status)] ?? []), ...types],
  ])
  return { ...some, ...Object.fromEntries(added) }
}
