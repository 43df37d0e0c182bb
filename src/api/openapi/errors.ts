import { type ErrorType, errorsPath, errorTypes } from '../../http/errors'
import { headersOf } from './headers'

export const errorResponses = (types: readonly ErrorType[]) =>
  Object.fromEntries(
    types.map((type) => [errorTypes[type].status, { $ref: `#/components/responses/${type}` }]),
  )

/** Errors of operations; those of requests that reach no operation are described in the document's text. */
export function sharedErrors(baseUrl: string): object {
  const told = Object.entries(errorTypes).filter(
    ([type]) => !errorsWithoutOperation.some((one) => one === type),
  )
  return Object.fromEntries(told.map(([type, said]) => [type, response(type as ErrorType, said, baseUrl)]))
}

const errorsWithoutOperation = ['unknown_route', 'method_not_allowed'] as const satisfies readonly ErrorType[]

function response(type: ErrorType, { message, meaning, status }: ErrorDescription, baseUrl: string): object {
  const error = { type, message, developer_message: meaning, url: `${baseUrl}${errorsPath}#${type}` }
  const schema = { $ref: '#/components/schemas/Errors' }
  return {
    description: `${status}: ${meaning}`,
    headers: headersOf(type),
    content: { 'application/json': { schema, example: { errors: [error] } } },
  }
}

type ErrorDescription = (typeof errorTypes)[ErrorType]

const textProperty = (description: string, example: string, more: object = {}) => ({
  type: 'string',
  description,
  examples: [example],
  ...more,
})

export const errorsSchema = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type', 'message', 'developer_message', 'url'],
        properties: {
          type: textProperty('Error type', 'invalid_params', { enum: Object.keys(errorTypes) }),
          message: textProperty('For the end user', errorTypes.invalid_params.message),
          developer_message: textProperty(
            'For the developer: the parameter and the rule',
            'page must be a positive integer of at most 15 digits.',
          ),
          url: textProperty(
            'Where the error is explained',
            `http://127.0.0.1:3000${errorsPath}#invalid_params`,
            {
              format: 'uri',
            },
          ),
        },
      },
    },
  },
}
