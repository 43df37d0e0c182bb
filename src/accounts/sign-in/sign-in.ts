import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import { hashPassword, isWeak, nobodysHash, PasswordsBusy, passwordMatches } from '../account/password'
import { findDevice } from './device'
import { factorStanding } from './second-factor'
import { type Browser, dropSignIn, noteSignIn } from './sign-ins'
import { type Attempt, beginAttempt, forgetAttempts, type Throttle, takeBackAttempt } from './throttle'
import { accountKey, addressThrottle, browserThrottle, keyColumn, nameThrottle } from './throttle-kinds'

export interface SignInAttempt {
  /** A username or an e-mail address. */
  readonly name: string
  readonly password: string
  readonly address: string
  /** The cookie of a known browser; '' if none. */
  readonly device: string
  /** Of a sign-in, which is noted for the owner of the account; undefined if somebody who is signed in confirms. */
  readonly browser?: Browser | undefined
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
  const begun = await write((tx) => beginSignIn(tx, typed, { own, userId: user?.id ?? 0, at: now() }))
  if (begun.wait > 0) return { outcome: 'wait', wait: begun.wait }
  // Deleted accounts and those without a password have no hash.
  const known = (user ?? waiting)?.password_hash || nobodysHash(passwordCost)
  const matches = await compare(deps, typed.password, known, begun)
  if ((user ?? waiting) === undefined || !matches) return { outcome: 'wrong' }
  await write(async (tx) => {
    await takeBack(tx, begun)
    // The address's count stays: an attacker with an account could otherwise reset it between guesses.
    await forgetAttempts(tx, own)
  })
  if (user === undefined) return { outcome: 'waiting' }
  if (user.disabled_at !== null) {
    const { browser } = typed
    const refused = { userId: user.id, way: 'password', outcome: 'disabled', at: now() } as const
    if (browser !== undefined) await write((tx) => noteSignIn(tx, { ...refused, browser }))
    return { outcome: 'disabled', userId: user.id }
  }
  const hash = isWeak(user.password_hash, passwordCost)
    ? await rehash(deps, user, typed.password)
    : user.password_hash
  const { on: needsFactor } = await factorStanding(read, user.id)
  return { outcome: 'ok', userId: user.id, hash, needsFactor }
}

interface BegunSignIn extends Attempt {
  /** The row that says so to the owner. */
  readonly noted?: number | undefined
}

/** Noted as wrong before the password is compared, in the same write: so nothing takes longer because an account exists. */
async function beginSignIn(
  tx: Tx,
  { address, browser }: SignInAttempt,
  { own, userId, at }: { own: Throttle; userId: number; at: number },
): Promise<BegunSignIn> {
  const begun = await beginAttempt(tx, [addressThrottle(address), own], at)
  if (begun.wait > 0 || browser === undefined) return begun
  const attempt = { userId, way: 'password', outcome: 'wrong', browser, at } as const
  return { ...begun, noted: await noteSignIn(tx, attempt) }
}

/** For an attempt whose outcome is noted where it is known. */
async function takeBack(tx: Tx, begun: BegunSignIn): Promise<void> {
  await takeBackAttempt(tx, begun)
  if (begun.noted !== undefined) await dropSignIn(tx, begun.noted)
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
async function compare({ write }: Deps, password: string, hash: string, begun: BegunSignIn) {
  try {
    return await passwordMatches(password, hash)
  } catch (cause) {
    if (cause instanceof PasswordsBusy) await write((tx) => takeBack(tx, begun))
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
