import { type TokenScope, tokenScopes } from '../accounts/token'

/** The scopes, in the order in which they are written. */
export const scopeNames = ['read', 'write'] as const

/** The scope that a text asks for, in our order (RFC 6749 §3.3); undefined when part of it is none of ours. */
export function parseScope(text: string): TokenScope | undefined {
  const asked = text.split(' ')
  if (!asked.every((one) => scopeNames.some((name) => name === one))) return undefined
  const written = scopeNames.filter((name) => asked.includes(name)).join(' ')
  return tokenScopes.find((scope) => scope === written)
}

/** The scopes of a text in our order, by name. */
export const namesIn = (scope: TokenScope) => scopeNames.filter((name) => scope.split(' ').includes(name))

/** Whether all that is asked for is within what an application registered (AZ-12). */
export const covers = (registered: TokenScope, asked: TokenScope): boolean =>
  namesIn(asked).every((name) => namesIn(registered).includes(name))
