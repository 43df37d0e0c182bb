import type { Route } from '../http/route'
import { authorize } from './authorize'
import { deviceAuthorization } from './device-authorization'
import { introspect } from './introspect'
import { metadata } from './metadata'
import { revoke } from './revoke'
import { token } from './token'
import { tokenInfo } from './token-info'

/** The authorization server's endpoints. */
export const oauthRoutes: readonly Route[] = [
  ...authorize,
  token,
  tokenInfo,
  revoke,
  introspect,
  deviceAuthorization,
  metadata,
]
