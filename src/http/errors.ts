/** Every error of `/v1` (D27): status, message for the end user, meaning for the developer. */
export const errorTypes = {
  invalid_params: {
    status: 400,
    message: 'The request could not be understood.',
    meaning:
      'A parameter or the request itself is invalid. developer_message names the parameter and the rule, message is for end users; there is one entry per violation.',
  },
  unauthorized: {
    status: 401,
    message: 'Sign-in is required.',
    meaning: 'No access token was sent, or the one sent is unknown, expired or revoked.',
  },
  forbidden: {
    status: 403,
    message: 'This is not allowed.',
    meaning:
      'The access token lacks a scope: GET needs read, everything else needs write. Or whom the request is about does not let the caller do this.',
  },
  unknown_route: {
    status: 404,
    message: 'There is nothing here.',
    meaning: 'No endpoint has this path.',
  },
  not_found: {
    status: 404,
    message: 'This does not exist.',
    meaning: 'The resource does not exist, or belongs to another user.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This cannot be done here.',
    meaning: 'The path does not support this method; the Allow header lists the supported ones.',
  },
  payload_too_large: {
    status: 413,
    message: 'The request is too large.',
    meaning:
      'The body is larger than 256 KiB, or than 64 KiB if the access token is not in the Authorization header.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests; please wait a moment.',
    meaning:
      'The token or address has exceeded its rate limit; Retry-After is the number of seconds to wait.',
  },
  internal_error: {
    status: 500,
    message: 'Something went wrong on the server.',
    meaning:
      'An error in the server. Find it in the log by the request id in the X-Request-Id header and developer_message.',
  },
  service_unavailable: {
    status: 503,
    message: 'The server cannot do this right now.',
    meaning:
      'The server is stopping or overloaded, or its storage is unavailable: the disk is full or failing, or the database is busy or missing. Retry-After is the number of seconds to wait.',
  },
} as const

export type ErrorType = keyof typeof errorTypes

export const errorsPath = '/docs/errors'

export class ApiError extends Error {
  constructor(
    readonly type: ErrorType,
    /** One developer_message per violation: the parameter and the rule. */
    readonly violations: readonly string[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${type}: ${violations.join('; ')}`)
  }

  get status(): number {
    return errorTypes[this.type].status
  }
}

export const invalidParams = (...violations: string[]) => new ApiError('invalid_params', violations)

export const notFound = (what: string) => new ApiError('not_found', [`${what} does not exist.`])

export const unknownRoute = () => new ApiError('unknown_route', ['No endpoint has this path.'])

export const methodNotAllowed = (allowed: readonly string[]) =>
  new ApiError('method_not_allowed', [`This path supports ${allowed.join(', ')}.`], {
    Allow: allowed.join(', '),
  })

/** `limit` is in bytes; `hint` says how to send more. */
export const payloadTooLarge = (limit: number, hint?: string) =>
  new ApiError('payload_too_large', [
    [`The body is limited to ${limit / 1024} KiB.`, hint].filter(Boolean).join(' '),
  ])

export const rateLimited = (seconds: number, headers: Readonly<Record<string, string>>) =>
  new ApiError('rate_limited', [`Try again in ${seconds} s.`], { ...headers, 'Retry-After': String(seconds) })

export const serviceUnavailable = (why: string, seconds = 5) =>
  new ApiError('service_unavailable', [why], { 'Retry-After': String(seconds) })

/** `id`: the request's, to find it in the log. */
export const internalError = (id: string) =>
  new ApiError('internal_error', [`See the server log for request ${id}.`])

/** The one error format (D27). Absolute links start with the base URL (D2). */
export function errorResponse(error: ApiError, baseUrl: string): Response {
  const { status, message } = errorTypes[error.type]
  const url = `${baseUrl}${errorsPath}#${error.type}`
  const errors = error.violations.map((developer_message) => ({
    type: error.type,
    message: error.type === 'invalid_params' ? inWords(developer_message) : message,
    developer_message,
    url,
  }))
  return Response.json({ errors }, { status, headers: { ...jsonHeaders, ...error.headers } })
}

const inWords = (violation: string) =>
  violation.replace(/^[a-z][a-z0-9_]*(?= )/, (name) => {
    const words = name.replaceAll('_', ' ')
    return words.charAt(0).toUpperCase() + words.slice(1)
  })

/** Headers of every response, also without a body: not to be cached, sniffed or framed (oauth.md §2.4). */
export const answerHeaders = {
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
} as const

export const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8', ...answerHeaders } as const

/** For other methods of `/graphql`, in GraphQL's format; a browser that opens the address gets GraphiQL instead. */
export const onlyByPost = (): Response =>
  Response.json(
    { errors: [{ message: 'Send queries by POST.' }] },
    { status: 405, headers: { ...jsonHeaders, Allow: 'POST, OPTIONS' } },
  )
