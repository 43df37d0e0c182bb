import type { ErrorType } from '../../http/errors'

export const openapiHeaders = {
  'X-Request-Id': header('Identifies the request in the server log', '3q2-7wAQbJ8x', true),
  'RateLimit-Policy': header(
    'The number of requests allowed at once, and the seconds until the allowance is full again; only if requests are limited',
    '"default";q=1200;w=60',
  ),
  RateLimit: header(
    'The remaining allowance, and the seconds until the next request; only if requests are limited',
    '"default";r=1199;t=0',
  ),
  'WWW-Authenticate': header('The required authentication, and what is wrong', 'Bearer realm="kiroku"', true),
  'Retry-After': header('Seconds to wait before trying again', '5', true),
}

type HeaderName = keyof typeof openapiHeaders

export const headersOf = (type?: ErrorType) =>
  Object.fromEntries(namesOf(type).map((name) => [name, { $ref: `#/components/headers/${name}` }]))

function namesOf(type: ErrorType | undefined): readonly HeaderName[] {
  const always = ['X-Request-Id'] as const
  switch (type) {
    case 'internal_error':
      return always
    case 'service_unavailable':
      return [...always, 'Retry-After']
    case 'rate_limited':
      return [...always, ...ofLimits, 'Retry-After']
    case 'unauthorized':
    case 'forbidden':
      return [...always, ...ofLimits, 'WWW-Authenticate']
    default:
      return [...always, ...ofLimits]
  }
}

const ofLimits = ['RateLimit-Policy', 'RateLimit'] as const

function header(description: string, example: string, required = false) {
  return { description, required, schema: { type: 'string', examples: [example] } }
}
