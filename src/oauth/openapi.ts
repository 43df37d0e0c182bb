import { errorResponses } from '../api/openapi/errors'
import { headersOf } from '../api/openapi/headers'
import { jsonContent, operationId } from '../api/openapi/openapi'
import { descriptionFlags, oauthBodyDocs, operationInput } from '../api/openapi/params'
import { tokenSecurity } from '../api/openapi/security'
import type { ErrorType } from '../http/errors'
import { ask } from './authorize/authorize'
import { oauthErrors } from './error'
import type { CallerKind, Documented, OAuthErrors, OAuthOperation } from './operation'
import type { scopeNames } from './scope'
import { token } from './token/token'

const scopeMeanings: Readonly<Record<(typeof scopeNames)[number], string>> = {
  read: 'See your profile, e-mail address, records, reviews and statuses, those whom you follow, and your notifications',
  write: 'Make, change and delete records, reviews and statuses, follow, like and mute for you',
}

const oauthErrorSchema = {
  type: 'object',
  required: ['error', 'error_description'],
  properties: {
    error: {
      type: 'string',
      enum: Object.keys(oauthErrors),
      description: 'Which error it is',
      examples: ['invalid_request'],
    },
    error_description: {
      type: 'string',
      description: 'For the developer: what is wrong',
      examples: ['token is required.'],
    },
  },
}

const tag = { name: 'OAuth', description: 'How applications come by an access token' }

export const oauthSection = {
  tag,
  schemas: { OAuthError: oauthErrorSchema },
  securitySchemes: {
    client: {
      type: 'http',
      scheme: 'basic',
      description: 'The client ID and the client secret of an application, each form-encoded',
    },
  },
  flows: (baseUrl: string) => ({
    authorizationCode: {
      authorizationUrl: baseUrl + ask.path,
      tokenUrl: baseUrl + token.path,
      scopes: scopeMeanings,
    },
  }),
}

export function oauthOperation({
  method,
  path,
  operation,
}: Documented<{ method: string; path: string }>): object {
  const { summary, description, params, by } = operation
  return {
    operationId: operationId(method, path),
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag.name],
    security: by.flatMap(securityOf),
    ...descriptionFlags(summary),
    ...operationInput(method, path, params, oauthBodyDocs),
    responses: responsesOf(operation),
  }
}

function securityOf(caller: CallerKind): object[] {
  switch (caller) {
    case 'token':
      return tokenSecurity([])
    case 'client':
      return [{ client: [] }]
    case 'anyone':
      return [{}]
  }
}

function responsesOf({ answers }: OAuthOperation): object {
  if ('pages' in answers) {
    const pages = Object.entries(answers.pages)
    return Object.fromEntries(pages.map(([status, said]) => [status, { description: said }]))
  }
  const { schema, errors } = answers
  const content = { 'application/json': jsonContent(schema, []) }
  return {
    200: { description: 'OK', headers: headersOf(), content },
    ...(Object.keys(errors).length === 0 ? errorResponses(ofEveryPath) : errorsOf(errors)),
  }
}

/** Errors that any request may cause before it reaches a route. */
const ofEveryPath = ['invalid_params', 'internal_error'] as const

const errorsOf = (errors: OAuthErrors) =>
  Object.fromEntries(
    Object.entries(errors).map(([status, types]) => {
      const example = { error: types[0], error_description: 'What is wrong with the request.' }
      const description = `${status}: ${types.map((type) => `\`${type}\``).join(', ')}`
      const schema = { $ref: '#/components/schemas/OAuthError' }
      const content = { 'application/json': { schema, example } }
      return [status, { description, headers: headersOf(likeStatus[Number(status)]), content }]
    }),
  )

/** The error whose documented response headers apply to the status. */
const likeStatus: Readonly<Record<number, ErrorType>> = {
  401: 'unauthorized',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'service_unavailable',
}
