import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import type { Random } from '../../lib/secret'
import { passwordChangedLetter } from '../../mail/letters'
import type { Language } from '../../messages/languages'
import { createLink, endLinks, findLink, spendLink } from '../sign-in/one-time-link'
import { endSessions } from '../sign-in/session'
import { forgetAttempts } from '../sign-in/throttle'
import { byName } from '../sign-in/throttle-kinds'
import { hashNewPassword } from './password'
import { tellOwner } from './tell-owner'

/** A password that somebody chose. */
export interface NewPassword {
  readonly password: string
  /** Whether the tokens of the account end with the old password. */
  readonly revokesTokens: boolean
  /** That of the letter which tells the owner. */
  readonly language: Language
}

/**
 * Changes the password of somebody who proved to be there, and ends all other sessions. Throws a `FieldProblem` for a
 * password that breaks a rule, or `PasswordsBusy`.
 */
export async function changePassword(
  deps: Deps,
  { userId, sessionId }: { readonly userId: number; readonly sessionId: number },
  chosen: NewPassword,
): Promise<void> {
  const hash = await hashFor(deps, userId, chosen.password)
  await deps.write((tx) => setPassword(tx, userId, { ...chosen, hash, except: sessionId }))
  tellOwner(deps, userId, { letter: passwordChangedLetter, language: chosen.language })
}

/** A link with which somebody chooses a new password; the one before it is worth nothing. Nobody else learns the password. */
export const createResetLink = (
  deps: { write: Deps['write']; now(): number; random: Random },
  userId: number,
): Promise<string> => deps.write((tx) => createLink(tx, deps, { purpose: 'reset', userId }))

/**
 * Sets the password a link was made for, and ends every session. Returns the user's id, or undefined for a link that is
 * not good. Throws as `changePassword` does; the link can be used again then.
 */
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
    await setPassword(tx, userId, { ...chosen, hash, except: undefined })
    await forgetGuesses(tx, userId)
    return true
  })
  if (!isSet) return undefined
  tellOwner(deps, userId, { letter: passwordChangedLetter, language: chosen.language })
  return userId
}

/** Whoever has just chosen a password need not wait for what was guessed before. */
async function forgetGuesses(tx: Tx, userId: number): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select(['username_key', 'email_key'])
    .where('id', '=', userId)
    .executeTakeFirst()
  for (const name of [user?.username_key, user?.email_key])
    if (typeof name === 'string') await forgetAttempts(tx, byName(name))
}

async function hashFor({ read, passwordCost }: Deps, userId: number, password: string): Promise<string> {
  const owner = await read
    .selectFrom('users')
    .select(['username', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return await hashNewPassword(password, owner, passwordCost)
}

interface Setting extends NewPassword {
  readonly hash: string
  /** The session that goes on. */
  readonly except: number | undefined
}

/** Whoever knew the old password has nothing left of it: no session, no link, no browser that is known. */
async function setPassword(tx: Tx, userId: number, { hash, except, revokesTokens }: Setting): Promise<void> {
  await tx.updateTable('users').set({ password_hash: hash }).where('id', '=', userId).execute()
  await endSessions(tx, userId, { except })
  await endLinks(tx, userId)
  await tx.deleteFrom('devices').where('user_id', '=', userId).execute()
  if (!revokesTokens) return
  await tx.deleteFrom('tokens').where('user_id', '=', userId).execute()
  await tx.deleteFrom('authorization_codes').where('user_id', '=', userId).execute()
}
