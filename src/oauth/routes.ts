import { documented } from '../http/operation'
import type { Route } from '../http/route'
import type { PageRoute } from '../web/page'
import { answer, ask } from './authorize/authorize'
import { deviceAuthorization } from './device/authorization'
import { metadata } from './metadata'
import { oauthOperation } from './openapi'
import type { Documented, OAuthRoute } from './operation'
import { introspect } from './token/introspect'
import { revoke } from './token/revoke'
import { token } from './token/token'
import { tokenInfo } from './token/token-info'

/** All their errors have the format of OAuth, even for a wrong method (D45, TK-02). */
const clientEndpoints: readonly OAuthRoute[] = [token, tokenInfo, revoke, introspect, deviceAuthorization]

const clientPaths = new Set(clientEndpoints.map(({ path }) => path))

export const isForClients = (path: string): boolean => clientPaths.has(path.replace(/\/$/, ''))

export const oauthEndpoints: readonly OAuthRoute[] = [...clientEndpoints, metadata]

export const oauthPages: readonly PageRoute[] = [withDetail(ask), answer]

export const oauthRoutes: readonly Route[] = oauthEndpoints.map(withDetail)

function withDetail<R extends Documented<Route | PageRoute>>(route: R) {
  return { ...route, detail: documented(() => oauthOperation(route)) }
}
