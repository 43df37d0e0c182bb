import { type TokenScope, tokenScopes } from '../accounts/token'
import type { Option } from '../options/option'
import { either } from '../values/text'

const scope = either(tokenScopes)

export const scopeOption = (sentence: string, defaultValue: TokenScope): Option<TokenScope> => ({
  name: 'scope',
  type: 'SCOPE',
  sentence,
  defaultText: defaultValue,
  defaultValue,
  value: { ...scope, read: (text) => scope.read(text.trim().split(/\s+/).sort().join(' ')) },
})
