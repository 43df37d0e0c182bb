import type { Tx } from '../db/write'
import type { Deps } from '../deps'
import { hashSecret } from '../lib/secret'
import { deviceTime } from './device'
import { hashPassword, isWeak, nobodysHash, PasswordsBusy, passwordMatches } from './password'
import {
  type Attempt,
  beginAttempt,
  byAccount,
  byAddress,
  digest,
  forgetAttempts,
  takeBackAttempt,
} from './throttle'
import { emailKey } from './user-email'
import { usernameKey } from './username'

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
  | { readonly outcome: 'wrong' | 'disabled' }
  | { readonly outcome: 'wait'; readonly wait: number }

/**
 * Checks a name and a password (oauth.md §2.1). An account that does not exist takes as long as one that does, and is
 * told apart by nothing. Throws `PasswordsBusy`.
 */
export async function checkPassword(deps: Deps, typed: SigningIn): Promise<SignedIn> {
  const { read, write, now } = deps
  const user = await findAccount(deps, typed.name)
  const account = byAccount(user === undefined ? `?${digest(typed.name)}` : String(user.id))
  const isKnown = user !== undefined && (await isKnownDevice(deps, user.id, typed.device))
  // Guesses of strangers do not make the owner wait on a browser that signed in before.
  const counted = isKnown ? [byAddress(typed.address)] : [byAddress(typed.address), account]
  const begun = await write((tx) => beginAttempt(tx, counted, now()))
  if (begun.wait > 0) return { outcome: 'wait', wait: begun.wait }
  const matches = await compare(deps, typed.password, user?.password_hash ?? nobodysHash, begun)
  if (user === undefined || !matches) return { outcome: 'wrong' }
  await write(async (tx) => {
    await takeBackAttempt(tx, begun)
    // Not what was counted for the address: whoever has an account would try all others between two sign-ins.
    if (!isKnown) await forgetAttempts(tx, account)
  })
  if (user.disabled_at !== null) return { outcome: 'disabled' }
  const hash = isWeak(user.password_hash) ? await strengthen(deps, user, typed.password) : user.password_hash
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
  const isEmail = name.includes('@')
  return read
    .selectFrom('users')
    .select(['id', 'password_hash', 'disabled_at'])
    .$if(isEmail, (query) => query.where('email_key', '=', emailKey(name)))
    .$if(!isEmail, (query) => query.where('username_key', '=', usernameKey(name)))
    .executeTakeFirst()
}

async function isKnownDevice({ read, now }: Deps, userId: number, device: string): Promise<boolean> {
  if (device === '') return false
  const row = await read
    .selectFrom('devices')
    .select('id')
    .where('device_hash', '=', hashSecret(device))
    .where('user_id', '=', userId)
    .where('last_used_at', '>', now() - deviceTime)
    .executeTakeFirst()
  return row !== undefined
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
  { write }: Deps,
  { id, password_hash: weak }: { id: number; password_hash: string },
  password: string,
): Promise<string> {
  const password_hash = await hashPassword(password).catch((cause) => {
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
