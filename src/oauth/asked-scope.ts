import type { TokenScope } from '../accounts/token'
import { param, withDefault } from '../api/params'
import { oauthError } from './error'
import { readDeclared } from './read-declared'
import { covers, scope, scopeNames } from './scope'

/** The scope of a request, as clients send it; `read` stands for none (AZ-11). */
export const scopeParams = {
  scope: withDefault(
    param(
      scope,
      `What is asked for, of ${scopeNames.join(' and ')}, with a space between them`,
      'read write',
    ),
    'read',
  ),
}

/** The scope that a client asks for. Throws `invalid_scope`, also for more than it registered. */
export function askedScope(registered: TokenScope, text: string | undefined): TokenScope {
  const asked = readDeclared(scopeParams, 'scope', text, 'invalid_scope')
  if (covers(registered, asked)) return asked
  throw oauthError('invalid_scope', 'scope must be within what the application registered.')
}
