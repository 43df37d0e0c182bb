import type { Tx } from '../../db/write'
import { sameHash } from '../../lib/secret'

/** What a passkey is asked for. */
export type PasskeyPurpose = 'add' | 'sign_in' | 'code' | 'confirm' | 'confirm_code'

/** `why` is for the log: what the person reads is the same for all. */
export class PasskeyRefused extends Error {
  constructor(readonly why: string) {
    super(why)
  }
}

/** How long an answer is accepted, in milliseconds; browsers are told the same. */
export const challengeTime = 5 * 60_000

interface Binding {
  readonly purpose: PasskeyPurpose
  /** The value of the browser's session cookie. */
  readonly cookie: string
  readonly at: number
}

/**
 * The time, 16 random bytes, and an HMAC over both and the purpose, keyed by the browser's cookie as CSRF tokens are: viewing a
 * page stores nothing, and no other browser can answer (WebAuthn level 3, §13.4.3).
 */
export function createChallenge(
  random: (length: number) => Uint8Array,
  { purpose, cookie, at }: Binding,
): Uint8Array {
  const head = new Uint8Array(headLength)
  new DataView(head.buffer).setBigUint64(0, BigInt(at))
  head.set(random(16), 8)
  return Uint8Array.of(...head, ...sealOf(head, purpose, cookie))
}

/** Whether this browser was asked that, for this, in the last five minutes. */
export function isChallenge(challenge: Uint8Array, { purpose, cookie, at }: Binding): boolean {
  if (challenge.length !== headLength + 32) return false
  const head = challenge.slice(0, headLength)
  if (!sameHash(challenge.slice(headLength), sealOf(head, purpose, cookie))) return false
  const age = at - Number(new DataView(head.buffer).getBigUint64(0))
  return age >= 0 && age < challengeTime
}

/** In the write that accepts the answer. False if it was accepted before. */
export async function spendChallenge(tx: Tx, challenge: Uint8Array, at: number): Promise<boolean> {
  await forgetOldChallenges(tx, at)
  const challenge_hash = Uint8Array.from(new Bun.CryptoHasher('sha256').update(challenge).digest())
  const spent = await tx
    .insertInto('spent_challenges')
    .values({ challenge_hash, spent_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('spent_at')
    .execute()
  return spent.length > 0
}

/** Those that would be refused for their age. */
export const forgetOldChallenges = (tx: Tx, at: number): Promise<unknown> =>
  tx
    .deleteFrom('spent_challenges')
    .where('spent_at', '<=', at - challengeTime) // uses spent_challenges_age
    .execute()

const headLength = 24

const sealOf = (head: Uint8Array, purpose: PasskeyPurpose, cookie: string): Uint8Array =>
  Uint8Array.from(new Bun.CryptoHasher('sha256', cookie).update(`passkey ${purpose} `).update(head).digest())
