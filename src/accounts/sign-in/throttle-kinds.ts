import { networkOf } from '../../lib/network'
import { hashSecret } from '../../lib/secret'
import { accountKey } from './account-key'
import type { Counted } from './throttle'

const minute = 60_000
/** For one person: stops guessing, and makes the owner wait for 15 minutes at most. */
const ofOne = { firstWait: 1000, longestWait: 15 * minute, forgetsOneIn: 60 * minute }
/** For an address that many people may share: short waits. */
const ofMany = { firstWait: 1000, longestWait: minute, forgetsOneIn: minute }

/** Failed sign-ins from one address, or one /64 of IPv6, on known browsers too. */
export const byAddress = (address: string): Counted => ({
  key: `address:${networkOf(address)}`,
  free: 20,
  ...ofMany,
})

/**
 * Failed sign-ins under one username or e-mail address, known or not. The two are counted apart: a common count would tell
 * which address belongs to which username (D53).
 */
export const byName = (name: string): Counted => ({ key: `name:${digest(name)}`, free: 5, ...ofOne })

/** The same on a known browser of the account: strangers do not throttle it, but it cannot guess for ever. */
export const byBrowser = (deviceId: number, name: string): Counted => ({
  key: `browser:${deviceId}:${digest(name)}`,
  free: 5,
  ...ofOne,
})

/** Wrong user codes of devices (RFC 8628 §5.1). */
export const codesFrom = (address: string): Counted => ({
  key: `device_from:${networkOf(address)}`,
  free: 20,
  ...ofMany,
})
export const codesOf = (userId: number): Counted => ({ key: `device_of:${userId}`, free: 5, ...ofOne })

/** Apart from the password's failures, which somebody with the password could clear. */
export const byFactor = (userId: number): Counted => ({ key: `factor:${userId}`, free: 5, ...ofOne })

/** Accounts requested from one address, created or not: 10 an hour are free. */
export const signUpsFrom = (address: string): Counted => ({
  key: `sign_up:${networkOf(address)}`,
  free: 10,
  firstWait: 1000,
  longestWait: minute,
  forgetsOneIn: 6 * minute,
})

export const mailFrom = (address: string): Counted => ({
  key: `mail_from:${networkOf(address)}`,
  free: 10,
  ...ofOne,
})

/** A short key, the same for all spellings of one name. */
export const digest = (name: string): string =>
  Buffer.from(hashSecret(accountKey(name))).toString('base64url')
