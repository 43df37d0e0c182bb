import { type TokenScope, tokenScopes } from '../accounts/token'
import type { Option } from '../options/option'
import { oneOf } from '../options/values'

/** The option of commands that say what somebody or something may do. */
export const scopeOption = (sentence: string): Option<TokenScope> => ({
  name: 'scope',
  type: 'SCOPE',
  sentence,
  default: 'read write',
  otherwise: 'read write',
  parse: (text) => oneOf(tokenScopes)(text.trim().split(/\s+/).sort().join(' ')),
})
