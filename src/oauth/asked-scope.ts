import type { TokenScope } from '../accounts/token'
import { text, withDefault } from '../api/params'
import { oauthError } from './error'
import { covers, parseScope, scopeNames } from './scope'

/** The scope of a request, as clients send it. */
export const scopeParam = withDefault(
  text(`What is asked for, of ${scopeNames.join(' and ')}, with a space between them`, 'read write'),
  'read',
)

/** The scope that a client asks for, or the one that stands for none (AZ-11). Throws `invalid_scope`, also for more than it registered. */
export function askedScope(registered: TokenScope, text: string | undefined): TokenScope {
  const scope = parseScope(text ?? scopeParam.otherwise)
  if (scope === undefined) throw oauthError('invalid_scope', 'scope must be read, write or both.')
  if (covers(registered, scope)) return scope
  throw oauthError('invalid_scope', 'scope must be within what the application registered.')
}
