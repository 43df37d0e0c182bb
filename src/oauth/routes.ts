import type { ApiError } from '../http/errors'
import type { Route } from '../http/route'
import { answer, ask } from './authorize/authorize'
import { deviceAuthorization } from './device/authorization'
import { refuseClientMethod } from './endpoint'
import { metadata } from './metadata'
import type { OAuthRoute } from './operation'
import { introspect } from './token/introspect'
import { revoke } from './token/revoke'
import { token } from './token/token'
import { tokenInfo } from './token/token-info'

/** The authorization server's endpoints for programs, and where they lead people. */
export const documentedRoutes: readonly OAuthRoute[] = [
  ask,
  token,
  tokenInfo,
  revoke,
  introspect,
  deviceAuthorization,
  metadata,
]

/** The authorization server's endpoints. */
export const oauthRoutes: readonly Route[] = [...documentedRoutes, answer]

/** A client understands one shape of errors, also when it uses the wrong method. */
export const oauthRefusals: ReadonlyMap<string, (error: ApiError) => Response> = new Map(
  [token, tokenInfo, revoke, introspect, deviceAuthorization].map(({ path }) => [path, refuseClientMethod]),
)
