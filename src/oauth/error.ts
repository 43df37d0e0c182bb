/** All errors and their statuses (RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 8628 §3.5). */
export const oauthErrors = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_token: 401,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  access_denied: 403,
  server_error: 500,
  temporarily_unavailable: 503,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
} as const

export type OAuthErrorType = keyof typeof oauthErrors

interface ErrorDetails {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly client?: string | undefined
}

export class OAuthError extends Error {
  constructor(
    readonly type: OAuthErrorType,
    /** For developers: ASCII without quotes and backslashes, and nothing from the request (TK-24). */
    readonly description: string,
    readonly details: ErrorDetails = {},
  ) {
    super(`${type}: ${description}`)
  }

  get status(): number {
    return this.details.status ?? oauthErrors[this.type]
  }
}

export const oauthError = (type: OAuthErrorType, description: string, details?: ErrorDetails) =>
  new OAuthError(type, description, details)

/** TK-02, TK-24 */
export function oauthErrorResponse({ type, description, status, details }: OAuthError): Response {
  const body = { error: type, error_description: description }
  return Response.json(body, { status, headers: { ...oauthHeaders, ...details.headers } })
}

/** RFC 6749 §5.1 */
export const oauthHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
} as const
