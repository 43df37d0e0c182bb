import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import type { Random } from '../../lib/secret'
import { passwordChangedLetter, passwordRemovedLetter } from '../../mail/letters'
import type { Language } from '../../messages/languages'
import { createLink, endLinks, findLink, spendLink } from '../sign-in/one-time-link'
import { factorStanding, removeSecondFactor } from '../sign-in/second-factor'
import { endSessions } from '../sign-in/session'
import { forgetAttempts } from '../sign-in/throttle'
import { nameThrottle } from '../sign-in/throttle-kinds'
import { refuseLastWay, type WayRules } from '../sign-in/ways-in'
import { touchTokens } from '../token'
import { hashNewPassword } from './password'
import { tellOwner } from './tell-owner'

export interface NewPassword {
  readonly password: string
  readonly revokesTokens: boolean
  /** With it, passkeys and identities at providers go. */
  readonly removesOthers?: boolean
  readonly language: Language
}

/** The caller must have authenticated the user. Throws a `FieldProblem` or `PasswordsBusy`. */
export async function changePassword(
  deps: Deps,
  { userId, sessionId }: { readonly userId: number; readonly sessionId: number },
  chosen: NewPassword,
): Promise<void> {
  const hash = await hashFor(deps, userId, chosen.password)
  const change = { ...chosen, hash, except: sessionId, at: deps.now() }
  await deps.write((tx) => setPassword(tx, userId, change))
  tellOwner(deps, userId, { letter: passwordChangedLetter, language: chosen.language })
}

/** Ends the other sessions that began with it. Throws a `FieldProblem` if it is the last way in (D100). */
export async function removePassword(
  deps: Deps,
  { userId, sessionId }: { readonly userId: number; readonly sessionId: number },
  { rules, language }: { readonly rules: WayRules; readonly language: Language },
): Promise<void> {
  await deps.write(async (tx) => {
    await refuseLastWay(tx, { userId, rules, leaving: { way: 'password' } })
    const none = { password_hash: '', password_set_at: null }
    await tx.updateTable('users').set(none).where('id', '=', userId).execute()
    await endSessions(tx, userId, { except: sessionId, way: 'password' })
    await endLinks(tx, userId)
  })
  tellOwner(deps, userId, { letter: passwordRemovedLetter, language })
}

/** Replaces any earlier link. */
export const createResetLink = (
  deps: { write: Deps['write']; now(): number; random: Random },
  userId: number,
): Promise<string> => deps.write((tx) => createLink(tx, deps, { purpose: 'reset', userId }))

/** Returns the user's id, or undefined for an invalid link. The link stays valid if this throws. */
export async function resetPassword(
  deps: Deps,
  link: string,
  chosen: NewPassword,
): Promise<number | undefined> {
  const userId = (await findLink(deps.read, 'reset', link, deps.now()))?.userId
  if (userId === undefined || userId === null) return undefined
  const hash = await hashFor(deps, userId, chosen.password)
  const isSet = await deps.write(async (tx) => {
    if ((await spendLink(tx, 'reset', link, deps.now())) === undefined) return false
    await setPassword(tx, userId, { ...chosen, hash, except: undefined, at: deps.now() })
    await forgetGuesses(tx, userId)
    return true
  })
  if (!isSet) return undefined
  tellOwner(deps, userId, { letter: passwordChangedLetter, language: chosen.language })
  return userId
}

/** Earlier failed guesses must not delay the owner. */
async function forgetGuesses(tx: Tx, userId: number): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select(['username_key', 'email_key'])
    .where('id', '=', userId)
    .executeTakeFirst()
  for (const name of [user?.username_key, user?.email_key])
    if (typeof name === 'string') await forgetAttempts(tx, nameThrottle(name))
}

async function hashFor({ read, passwordCost }: Deps, userId: number, password: string): Promise<string> {
  const owner = await read
    .selectFrom('users')
    .select(['username', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return await hashNewPassword(password, owner, passwordCost)
}

interface PasswordChange extends NewPassword {
  readonly hash: string
  readonly at: number
  /** The session to keep. */
  readonly except: number | undefined
}

/** Ends any access that somebody who knew the old password may have. */
async function setPassword(
  tx: Tx,
  userId: number,
  { hash, at, except, revokesTokens, removesOthers = false }: PasswordChange,
): Promise<void> {
  const change = { password_hash: hash, password_set_at: at }
  await tx.updateTable('users').set(change).where('id', '=', userId).execute()
  if (removesOthers) await removeOtherWays(tx, userId)
  await endSessions(tx, userId, { except })
  await endLinks(tx, userId)
  await tx.deleteFrom('devices').where('user_id', '=', userId).execute()
  if (!revokesTokens) return await touchTokens(tx, userId)
  await tx.deleteFrom('tokens').where('user_id', '=', userId).execute()
  await tx.deleteFrom('authorization_codes').where('user_id', '=', userId).execute()
}

/** Everything but the password; without passkeys there is also no second step by them. */
async function removeOtherWays(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute() // uses passkeys_user
  await tx.deleteFrom('identities').where('user_id', '=', userId).execute() // uses identities_user
  const { appSince } = await factorStanding(tx, userId)
  if (appSince === null) await removeSecondFactor(tx, userId)
  else await tx.updateTable('users').set({ has_passkey_step: 0 }).where('id', '=', userId).execute()
}
