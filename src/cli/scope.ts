import { type TokenScope, tokenScopes } from '../accounts/token'
import type { Option } from '../options/option'
import { oneOf } from '../options/values'

/** The option of commands that say what somebody or something may do, with what it is when not given. */
export const scopeOption = (sentence: string, otherwise: TokenScope): Option<TokenScope> => ({
  name: 'scope',
  type: 'SCOPE',
  sentence,
  default: otherwise,
  otherwise,
  parse: (text) => oneOf(tokenScopes)(text.trim().split(/\s+/).sort().join(' ')),
})
