import type { TokenScope } from '../accounts/token'
import { matching } from '../values/text'
import { InvalidValue, mapped, type Value } from '../values/value'

export const scopeNames = ['read', 'write'] as const

const one = `(?:${scopeNames.join('|')})`

/** RFC 6749 §3.3 */
export const scope: Value<TokenScope> = mapped(
  matching(`^${one}(?: ${one})*$`, (t) => t.values.scope),
  (text) => {
    const names = scopeNames.filter((name) => text.split(' ').includes(name))
    return names.length === scopeNames.length ? 'read write' : (names[0] ?? 'read')
  },
)

export function parseScope(text: string): TokenScope | undefined {
  const read = scope.read(text)
  return read instanceof InvalidValue ? undefined : read
}

export const namesIn = (scope: TokenScope) => scopeNames.filter((name) => scope.split(' ').includes(name))

/** AZ-12 */
export const covers = (registered: TokenScope, asked: TokenScope): boolean =>
  namesIn(asked).every((name) => namesIn(registered).includes(name))
