import type { TokenScope } from '../accounts/token'
import { oauthError } from './error'
import { covers, parseScope } from './scope'

/** The scope that a client asks for, `read` when it names none (AZ-11). Throws `invalid_scope`, also for more than it registered. */
export function askedScope(registered: TokenScope, text: string | undefined): TokenScope {
  const scope = parseScope(text ?? 'read')
  if (scope === undefined) throw oauthError('invalid_scope', 'scope must be read, write or both.')
  if (covers(registered, scope)) return scope
  throw oauthError('invalid_scope', 'scope must be within what the application registered.')
}
