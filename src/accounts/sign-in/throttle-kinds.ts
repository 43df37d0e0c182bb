import { networkOf } from '../../lib/network'
import { hashSecret } from '../../lib/secret'
import { accountKey } from './account-key'
import type { Throttle } from './throttle'

const minute = 60_000
/** For one person: stops guessing, and makes the owner wait for 15 minutes at most. */
const personalLimits = { firstWait: 1000, longestWait: 15 * minute, decayTime: 60 * minute }
/** For an address that many people may share: short waits. */
const sharedLimits = { firstWait: 1000, longestWait: minute, decayTime: minute }

/** Failed sign-ins from one address, or one /64 of IPv6, on known browsers too. */
export const addressThrottle = (address: string): Throttle => ({
  key: `address:${networkOf(address)}`,
  free: 20,
  ...sharedLimits,
})

/**
 * Failed sign-ins under one username or e-mail address, known or not. The two are counted apart: a common count would tell
 * which address belongs to which username (D53).
 */
export const nameThrottle = (name: string): Throttle => ({
  key: `name:${digest(name)}`,
  free: 5,
  ...personalLimits,
})

/** The same on a known browser of the account: strangers do not throttle it, but it cannot guess for ever. */
export const browserThrottle = (deviceId: number, name: string): Throttle => ({
  key: `browser:${deviceId}:${digest(name)}`,
  free: 5,
  ...personalLimits,
})

/** Wrong user codes of devices (RFC 8628 §5.1). */
export const codeAddressThrottle = (address: string): Throttle => ({
  key: `device_from:${networkOf(address)}`,
  free: 20,
  ...sharedLimits,
})
export const codeUserThrottle = (userId: number): Throttle => ({
  key: `device_of:${userId}`,
  free: 5,
  ...personalLimits,
})

/** Apart from the password's failures, which somebody with the password could clear. */
export const factorThrottle = (userId: number): Throttle => ({
  key: `factor:${userId}`,
  free: 5,
  ...personalLimits,
})

/** Accounts requested from one address, created or not: 10 an hour are free. */
export const signUpThrottle = (address: string): Throttle => ({
  key: `sign_up:${networkOf(address)}`,
  free: 10,
  firstWait: 1000,
  longestWait: minute,
  decayTime: 6 * minute,
})

export const mailThrottle = (address: string): Throttle => ({
  key: `mail_from:${networkOf(address)}`,
  free: 10,
  ...personalLimits,
})

/** A short key, the same for all spellings of one name. */
export const digest = (name: string): string =>
  Buffer.from(hashSecret(accountKey(name))).toString('base64url')
