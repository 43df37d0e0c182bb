import { networkOf } from '../../lib/network'
import { hashSecret } from '../../lib/secret'
import type { Throttle } from './throttle'

const minute = 60_000

/** The owner waits at most 15 minutes. */
const personalLimits = { firstWait: 1000, longestWait: 15 * minute, decayTime: 60 * minute }

/** For an address that many people may share. */
const sharedLimits = { firstWait: 1000, longestWait: minute, decayTime: minute }

/** Failed sign-ins, including those from known browsers. */
export const addressThrottle = (address: string): Throttle => ({
  key: `address:${networkOf(address)}`,
  freeAttempts: 20,
  ...sharedLimits,
})

/** Usernames and addresses are counted separately: a shared count would reveal which belong together (D53). */
export const nameThrottle = (name: string): Throttle => ({
  key: `name:${nameDigest(name)}`,
  freeAttempts: 5,
  ...personalLimits,
})

/** Strangers do not throttle a known browser, but it must not be able to guess forever either. */
export const browserThrottle = (deviceId: number, name: string): Throttle => ({
  key: `browser:${deviceId}:${nameDigest(name)}`,
  freeAttempts: 5,
  ...personalLimits,
})

/** Wrong user codes of devices (RFC 8628 §5.1). */
export const codeAddressThrottle = (address: string): Throttle => ({
  key: `device_from:${networkOf(address)}`,
  freeAttempts: 20,
  ...sharedLimits,
})
export const codeUserThrottle = (userId: number): Throttle => ({
  key: `device_of:${userId}`,
  freeAttempts: 5,
  ...personalLimits,
})

/** Separate from failed passwords, whose count anybody with the password could clear. */
export const factorThrottle = (userId: number): Throttle => ({
  key: `factor:${userId}`,
  freeAttempts: 5,
  ...personalLimits,
})

export const signUpThrottle = (address: string): Throttle => ({
  key: `sign_up:${networkOf(address)}`,
  freeAttempts: 10,
  firstWait: 1000,
  longestWait: minute,
  decayTime: 6 * minute,
})

/** How often administrators are told that people wait to join. */
export const joinLetterThrottle: Throttle = {
  key: 'join:letter',
  freeAttempts: 1,
  firstWait: 24 * 60 * minute,
  longestWait: 24 * 60 * minute,
  decayTime: 24 * 60 * minute,
}

export const mailThrottle = (address: string): Throttle => ({
  key: `mail_from:${networkOf(address)}`,
  freeAttempts: 10,
  ...personalLimits,
})

/** A short key, the same for every spelling of a name. */
export const nameDigest = (name: string): string =>
  Buffer.from(hashSecret(accountKey(name))).toString('base64url')

/** Names are looked up and throttled in this form, so that other spellings give no extra attempts. */
export const accountKey = (typed: string): string =>
  typed.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '')

/** E-mail addresses contain an @, usernames do not (D50). */
export const keyColumn = (key: string): 'email_key' | 'username_key' =>
  key.includes('@') ? 'email_key' : 'username_key'
