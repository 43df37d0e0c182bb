import type { TokenScope } from '../accounts/token'
import { matching } from '../values/text'
import { InvalidValue, mapped, type Value } from '../values/value'

/** The scopes, in the order in which they are written. */
export const scopeNames = ['read', 'write'] as const

const one = `(?:${scopeNames.join('|')})`

/** A scope as clients send it, and in our order (RFC 6749 §3.3). */
export const scope: Value<TokenScope> = mapped(
  matching(`^${one}(?: ${one})*$`, (t) => t.values.scope),
  (text) => {
    const names = scopeNames.filter((name) => text.split(' ').includes(name))
    return names.length === scopeNames.length ? 'read write' : (names[0] ?? 'read')
  },
)

/** The same of a text that may be none; undefined then. */
export function parseScope(text: string): TokenScope | undefined {
  const read = scope.read(text)
  return read instanceof InvalidValue ? undefined : read
}

/** The scopes of a text in our order, by name. */
export const namesIn = (scope: TokenScope) => scopeNames.filter((name) => scope.split(' ').includes(name))

/** Whether all that is asked for is within what an application registered (AZ-12). */
export const covers = (registered: TokenScope, asked: TokenScope): boolean =>
  namesIn(asked).every((name) => namesIn(registered).includes(name))
