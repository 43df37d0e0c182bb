import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import { hashPassword, isWeak, nobodysHash, PasswordsBusy, passwordMatches } from '../account/password'
import { findDevice } from './device'
import { type Attempt, beginAttempt, forgetAttempts, takeBackAttempt } from './throttle'
import { accountKey, addressThrottle, browserThrottle, keyColumn, nameThrottle } from './throttle-kinds'

export interface SignInAttempt {
  /** A username or an e-mail address. */
  readonly name: string
  readonly password: string
  readonly address: string
  /** The cookie of a known browser; '' if none. */
  readonly device: string
}

/** `wait` is in milliseconds; `hash` is the one that the password matched. */
export type SignInOutcome =
  | { readonly outcome: 'ok'; readonly userId: number; readonly hash: string; readonly needsFactor: boolean }
  | { readonly outcome: 'wrong' }
  | { readonly outcome: 'disabled'; readonly userId: number }
  /** An administrator has not decided yet whether this person may join (D51). */
  | { readonly outcome: 'waiting' }
  | { readonly outcome: 'wait'; readonly wait: number }

/** Takes the same time for unknown names (oauth.md §2.1). Throws `PasswordsBusy`. */
export async function checkPassword(deps: Deps, typed: SignInAttempt): Promise<SignInOutcome> {
  const { read, write, now, passwordCost } = deps
  const user = await findAccount(deps, typed.name)
  const waiting = await findWaiting(deps, typed.name)
  const device = await findDevice(deps, typed.device)
  // Guesses by strangers do not throttle the owner on a browser that signed in before.
  const isKnown = device !== undefined && device.userId === user?.id
  const own = isKnown ? browserThrottle(device.id, typed.name) : nameThrottle(typed.name)
  const begun = await write((tx) => beginAttempt(tx, [addressThrottle(typed.address), own], now()))
  if (begun.wait > 0) return { outcome: 'wait', wait: begun.wait }
  // A deleted account has no hash.
  const known = (user ?? waiting)?.password_hash || nobodysHash(passwordCost)
  const matches = await compare(deps, typed.password, known, begun)
  if ((user ?? waiting) === undefined || !matches) return { outcome: 'wrong' }
  await write(async (tx) => {
    await takeBackAttempt(tx, begun)
    // The address's count stays: an attacker with an account could otherwise reset it between guesses.
    await forgetAttempts(tx, own)
  })
  if (user === undefined) return { outcome: 'waiting' }
  if (user.disabled_at !== null) return { outcome: 'disabled', userId: user.id }
  const hash = isWeak(user.password_hash, passwordCost)
    ? await rehash(deps, user, typed.password)
    : user.password_hash
  const factor = await read
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', '=', user.id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return { outcome: 'ok', userId: user.id, hash, needsFactor: factor !== undefined }
}

/** Called in the write that starts the session: the password may have changed while the hash was computed. */
export async function isSignInStillValid(
  tx: Tx,
  { userId, hash }: { readonly userId: number; readonly hash: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', hash)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

function findAccount({ read }: Deps, name: string) {
  const key = accountKey(name)
  return read
    .selectFrom('users')
    .select(['id', 'password_hash', 'disabled_at'])
    .where(keyColumn(key), '=', key)
    .executeTakeFirst()
}

function findWaiting({ read }: Deps, name: string) {
  const key = accountKey(name)
  return read
    .selectFrom('join_requests')
    .select('password_hash')
    .where(keyColumn(key), '=', key)
    .executeTakeFirst()
}

/** An attempt is not counted as failed if the queue is full. */
async function compare({ write }: Deps, password: string, hash: string, begun: Attempt) {
  try {
    return await passwordMatches(password, hash)
  } catch (cause) {
    if (cause instanceof PasswordsBusy) await write((tx) => takeBackAttempt(tx, begun))
    throw cause
  }
}

/** Does nothing if the password has changed meanwhile. Returns the hash in use. */
async function rehash(
  { write, passwordCost }: Deps,
  { id, password_hash: weak }: { id: number; password_hash: string },
  password: string,
): Promise<string> {
  const password_hash = await hashPassword(password, passwordCost).catch((cause) => {
    if (cause instanceof PasswordsBusy) return undefined
    throw cause
  })
  if (password_hash === undefined) return weak
  await write((tx) =>
    tx
      .updateTable('users')
      .set({ password_hash })
      .where('id', '=', id)
      .where('password_hash', '=', weak)
      .execute(),
  )
  return password_hash
}
