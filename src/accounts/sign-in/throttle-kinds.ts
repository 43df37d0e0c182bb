import { networkOf } from '../../lib/network'
import { hashSecret } from '../../lib/secret'
import { accountKey } from './account-key'
import type { Counted } from './throttle'

const minute = 60_000
/** What one person does or has done to them: guessing ends, and the owner gets in within a quarter of an hour. */
const ofOne = { firstWait: 1000, longestWait: 15 * minute, forgetsOneIn: 60 * minute }
/** Where many people may be behind one address, those who did nothing wrong are not to wait for long. */
const ofMany = { firstWait: 1000, longestWait: minute, forgetsOneIn: minute }

/** Failed sign-ins from one address, or one /64 of IPv6, also on a browser that is known: what waits is short. */
export const byAddress = (address: string): Counted => ({
  key: `address:${networkOf(address)}`,
  free: 20,
  ...ofMany,
})

/**
 * Failed sign-ins under one name or e-mail address, whether anybody has it or not. An account's two are counted apart:
 * were they one, whoever fails by name and then tries an address would learn whose it is (D53).
 */
export const byName = (name: string): Counted => ({ key: `name:${digest(name)}`, free: 5, ...ofOne })

/** The same on a browser that is known for that account: strangers do not make it wait, nor may it guess without end. */
export const byBrowser = (deviceId: number, name: string): Counted => ({
  key: `browser:${deviceId}:${digest(name)}`,
  free: 5,
  ...ofOne,
})

/** Wrong codes of devices, from one address (RFC 8628 §5.1). */
export const codesFrom = (address: string): Counted => ({
  key: `device_from:${networkOf(address)}`,
  free: 20,
  ...ofMany,
})
/** The same by one account. */
export const codesOf = (userId: number): Counted => ({ key: `device_of:${userId}`, free: 5, ...ofOne })

/** Failures of an account's second factor: apart from those of its password, which a thief of that would clear. */
export const byFactor = (userId: number): Counted => ({ key: `factor:${userId}`, free: 5, ...ofOne })

/** Accounts asked for from one address, made or not: ten an hour before anybody waits. */
export const signUpsFrom = (address: string): Counted => ({
  key: `sign_up:${networkOf(address)}`,
  free: 10,
  firstWait: 1000,
  longestWait: minute,
  forgetsOneIn: 6 * minute,
})

/** Letters asked for from one address. */
export const mailFrom = (address: string): Counted => ({
  key: `mail_from:${networkOf(address)}`,
  free: 10,
  ...ofOne,
})

/** What somebody typed as a name, as a short key: the same for all spellings of one name. */
export const digest = (name: string): string =>
  Buffer.from(hashSecret(accountKey(name))).toString('base64url')
