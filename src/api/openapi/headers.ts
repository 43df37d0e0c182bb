import type { ErrorType } from '../../http/errors'

export const openapiHeaders = {
  'X-Request-Id': header('Names the request in the log of the server', '3q2-7wAQbJ8x', true),
  'RateLimit-Policy': header(
    'How many requests may be made at once, and after how many seconds as many may again; only where requests are limited',
    '"default";q=1200;w=60',
  ),
  RateLimit: header(
    'What is left of the allowance, and the seconds until the next request; only where requests are limited',
    '"default";r=1199;t=0',
  ),
  'WWW-Authenticate': header('What the server asks for, and what is wrong', 'Bearer realm="kiroku"', true),
  'Retry-After': header('In how many seconds to try again', '5', true),
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
