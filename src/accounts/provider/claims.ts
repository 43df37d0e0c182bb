import type { Provider } from '../../options/providers'
import { readIfValid } from '../../values/value'
import { userEmail } from '../account/user'
import { isRecord } from './discovery'
import type { ProviderClaims } from './protocol'

/** Who came from a provider, as far as kiroku asks. */
export interface Arrival {
  readonly issuer: string
  readonly subject: string
  /** As whom, to be shown; '' if the provider names nobody. */
  readonly name: string
  /** What the username may be made from; '' if nothing. */
  readonly username: string
  /** '' if none, or none that kiroku could write to. */
  readonly email: string
  /** The provider says that the address is theirs: JSON `true`, not a text (D102). */
  readonly isEmailVerified: boolean
  readonly groups: readonly string[]
  /** When they last proved who they are, in epoch milliseconds; undefined if it does not say. */
  readonly provedAt: number | undefined
}

export function arrivalOf(provider: Provider, { subject, provedAt, all }: ProviderClaims): Arrival {
  const text = (name: string) =>
    firstOf(all, name, (value) => (typeof value === 'string' ? value.trim() : ''))
  const username = text('preferred_username') || text('nickname')
  const verified = all.find((claims) => claims.email_verified === true && addressIn(claims) !== '')
  const email = addressIn(verified ?? {}) || firstOf(all, 'email', (_, claims) => addressIn(claims))
  return {
    ...{ issuer: provider.issuer, subject, provedAt, email, isEmailVerified: verified !== undefined },
    name: (username || email || text('name')).slice(0, 100),
    username: usernameFrom(username),
    groups: groupsIn(all, provider.groupsClaim),
  }
}

type Claims = Readonly<Record<string, unknown>>

/** The first that is not ''. */
const firstOf = (
  all: readonly Claims[],
  name: string,
  read: (value: unknown, claims: Claims) => string,
): string => all.map((claims) => read(claims[name], claims)).find((text) => text !== '') ?? ''

/** An address and whether it is verified belong together: one without the other says nothing of another one. */
const addressIn = ({ email }: Claims): string =>
  typeof email === 'string' ? (readIfValid(userEmail, email) ?? '') : ''

/** At most 20 of `[A-Za-z0-9_]` (D50); may be reserved or taken. */
const usernameFrom = (text: string): string =>
  [...text.normalize('NFKC')]
    .map((char) => (/^[A-Za-z0-9_]$/.test(char) ? char : '_'))
    .join('')
    .slice(0, 20)

/** Those that any of the claims name, as exact texts; a text is a list of one. */
function groupsIn(all: readonly Claims[], claim: string): readonly string[] {
  const named = all.map((claims) => (claim.startsWith('/') ? pointed(claims, claim) : claims[claim]))
  return named.flat().filter((group) => typeof group === 'string')
}

/** RFC 6901. */
function pointed(claims: Claims, pointer: string): unknown {
  const keys = pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.reduce<unknown>((value, key) => (isRecord(value) ? ownValue(value, key) : undefined), claims)
}

const ownValue = (value: Claims, key: string) => (Object.hasOwn(value, key) ? value[key] : undefined)
