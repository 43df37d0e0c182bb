import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import { hashPassword, isWeak, nobodysHash, PasswordsBusy, passwordMatches } from '../account/password'
import { accountKey, keyColumn } from './account-key'
import { findDevice } from './device'
import { type Attempt, beginAttempt, forgetAttempts, takeBackAttempt } from './throttle'
import { byAddress, byBrowser, byName } from './throttle-kinds'

/** What somebody typed to sign in, and where. */
export interface SigningIn {
  /** A username or an e-mail address. */
  readonly name: string
  readonly password: string
  readonly address: string
  /** The cookie of a browser that is known; '' for none. */
  readonly device: string
}

/** What came of it; `wait` is in milliseconds, `hash` what the password was found to fit. */
export type SignedIn =
  | { readonly outcome: 'ok'; readonly userId: number; readonly hash: string; readonly needsFactor: boolean }
  | { readonly outcome: 'wrong' }
  | { readonly outcome: 'disabled'; readonly userId: number }
  | { readonly outcome: 'wait'; readonly wait: number }

/**
 * Checks a name and a password (oauth.md §2.1). A name that nobody has is answered as one that somebody has, for the same
 * work. Throws `PasswordsBusy`.
 */
export async function checkPassword(deps: Deps, typed: SigningIn): Promise<SignedIn> {
  const { read, write, now, passwordCost } = deps
  const user = await findAccount(deps, typed.name)
  const device = await findDevice(deps, typed.device)
  // Guesses of strangers do not make the owner wait on a browser that signed in before.
  const isKnown = device !== undefined && device.userId === user?.id
  const own = isKnown ? byBrowser(device.id, typed.name) : byName(typed.name)
  const begun = await write((tx) => beginAttempt(tx, [byAddress(typed.address), own], now()))
  if (begun.wait > 0) return { outcome: 'wait', wait: begun.wait }
  // A deleted account has no hash.
  const matches = await compare(deps, typed.password, user?.password_hash || nobodysHash(passwordCost), begun)
  if (user === undefined || !matches) return { outcome: 'wrong' }
  await write(async (tx) => {
    await takeBackAttempt(tx, begun)
    // Not what was counted for the address: whoever has an account would try all others between two sign-ins.
    await forgetAttempts(tx, own)
  })
  if (user.disabled_at !== null) return { outcome: 'disabled', userId: user.id }
  const hash = isWeak(user.password_hash, passwordCost)
    ? await strengthen(deps, user, typed.password)
    : user.password_hash
  const factor = await read
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', '=', user.id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return { outcome: 'ok', userId: user.id, hash, needsFactor: factor !== undefined }
}

/**
 * Whether a password that was checked is still the one of an account that may sign in, for the write that starts its
 * session: checking takes a while, and whoever knew the old password has nothing left of it.
 */
export async function stillSignsIn(
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

/** What could not be compared is no failure. */
async function compare({ write }: Deps, password: string, hash: string, begun: Attempt) {
  try {
    return await passwordMatches(password, hash)
  } catch (cause) {
    if (cause instanceof PasswordsBusy) await write((tx) => takeBackAttempt(tx, begun))
    throw cause
  }
}

/** Makes a hash anew, unless the password was changed meanwhile: that would bring the old one back. Returns the hash. */
async function strengthen(
  { write, passwordCost }: Deps,
  { id, password_hash: weak }: { id: number; password_hash: string },
  password: string,
): Promise<string> {
  const password_hash = await hashPassword(password, passwordCost).catch((cause) => {
    // Next time, then.
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
