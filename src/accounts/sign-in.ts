import type { Deps } from '../deps'
import { hashSecret } from '../lib/secret'
import { hashPassword, isWeak, nobodysHash, passwordMatches } from './password'
import { beginAttempt, byAccount, byAddress, forgetAttempts } from './throttle'
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

/** What came of it; `wait` is in milliseconds. */
export type SignedIn =
  | { readonly outcome: 'ok'; readonly userId: number; readonly needsFactor: boolean }
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
  const wait = await write((tx) => beginAttempt(tx, counted, now()))
  if (wait > 0) return { outcome: 'wait', wait }
  const matches = await passwordMatches(typed.password, user?.password_hash ?? nobodysHash)
  if (user === undefined || !matches) return { outcome: 'wrong' }
  await write((tx) => forgetAttempts(tx, counted))
  if (user.disabled_at !== null) return { outcome: 'disabled' }
  if (isWeak(user.password_hash)) await strengthen(deps, user.id, typed.password)
  const factor = await read
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', '=', user.id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return { outcome: 'ok', userId: user.id, needsFactor: factor !== undefined }
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

async function isKnownDevice({ read }: Deps, userId: number, device: string): Promise<boolean> {
  if (device === '') return false
  const row = await read
    .selectFrom('devices')
    .select('id')
    .where('device_hash', '=', hashSecret(device))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

async function strengthen({ write }: Deps, userId: number, password: string): Promise<void> {
  const password_hash = await hashPassword(password)
  await write((tx) => tx.updateTable('users').set({ password_hash }).where('id', '=', userId).execute())
}

/** A name that may be anything, as a key that is short and tells nothing. */
const digest = (name: string) => Buffer.from(hashSecret(name.toLowerCase())).toString('base64url')
