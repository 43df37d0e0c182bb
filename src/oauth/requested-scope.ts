import type { TokenScope } from '../accounts/token'
import { param, withDefault } from '../api/params'
import { oauthError } from './error'
import { readDeclared } from './read-declared'
import { covers, scope, scopeNames } from './scope'

/** The default is `read` (AZ-11). */
export const scopeParams = {
  scope: withDefault(
    param(scope, `The requested scopes, of ${scopeNames.join(' and ')}, separated by a space`, 'read write'),
    'read',
  ),
}

/** Throws `invalid_scope`, also for more than the client has registered. */
export function requestedScope(registered: TokenScope, text: string | undefined): TokenScope {
  const asked = readDeclared(scopeParams, 'scope', text, 'invalid_scope')
  if (covers(registered, asked)) return asked
  throw oauthError('invalid_scope', 'scope must be within the scopes that the application registered.')
}
