import Type from 'typebox'
import { isLoopback } from '../lib/network'
import { anyText, matching } from './text'
import { checked, InvalidValue, mapped, type Value } from './value'

/**
 * Kept as the provider writes it, since it is compared exactly (OpenID Connect Discovery §4.3); only the slash after a
 * bare host says nothing.
 */
export const issuerUrl: Value<string> = mapped(anyText, (text) => {
  const url = URL.parse(text)
  if (url === null || /[?#\s]/.test(text)) return new InvalidValue((t) => t.values.issuer)
  if (url.username !== '' || url.password !== '') return new InvalidValue((t) => t.values.noUser)
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  if (!isSafe) return new InvalidValue((t) => t.values.issuer)
  return url.pathname === '/' ? url.origin : text
})

export const providerId = matching('^[a-z0-9-]{1,20}$', (t) => t.values.providerId)

/** RFC 6749 §3.3, separated by spaces. */
export const scopeList: Value<readonly string[]> = mapped(
  matching('^[!#-\\[\\]-~]+(?: +[!#-\\[\\]-~]+)*$', (t) => t.values.oidcScopes),
  (text) => {
    const scopes = text.split(/ +/)
    return scopes.includes('openid') ? scopes : new InvalidValue((t) => t.values.oidcScopes)
  },
)

/** Exact texts; in a configuration file an array, whose names may contain commas. */
export const groupNames: Value<readonly string[]> = checked(
  Type.Array(Type.String({ pattern: '\\S' }), { minItems: 1 }),
  (t) => t.values.groupNames,
  (text) => text.split(',').map((name) => name.trim()),
)

/** A name, or a JSON Pointer (RFC 6901). */
export const groupsClaim = matching(
  '^(?:[^/\\s~][^\\s]*|(?:/(?:[^/~]|~[01])+)+)$',
  (t) => t.values.groupsClaim,
)
