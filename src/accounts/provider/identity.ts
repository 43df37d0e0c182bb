import type { Read } from '../../db/open'
import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import { identityConnectedLetter, identityDisconnectedLetter } from '../../mail/letters'
import type { Language } from '../../messages/languages'
import { tellOwner } from '../account/tell-owner'
import { endLinks } from '../sign-in/one-time-link'
import { refuseLastWay, type WayRules } from '../sign-in/ways-in'
import type { Arrival } from './claims'

type Subject = Pick<Arrival, 'issuer' | 'subject'>

/** A person is (issuer, subject), never a name or address (D102). Undefined if nobody here is connected with them. */
export const findIdentity = (db: Read | Tx, { issuer, subject }: Subject) =>
  db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .select(['identities.id', 'user_id', 'disabled_at', 'is_admin'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject) // uses identities_subject
    .executeTakeFirst()

/** `taken`: it is another account's, or the account has somebody else of that provider. */
export async function connectIdentity(
  tx: Tx,
  userId: number,
  { issuer, subject, name }: Subject & Pick<Arrival, 'name'>,
  at: number,
): Promise<'connected' | 'already' | 'taken'> {
  const known = await findIdentity(tx, { issuer, subject })
  if (known !== undefined) return known.user_id === userId ? 'already' : 'taken'
  const identity = { user_id: userId, issuer, subject, name, created_at: at }
  const [made] = await tx
    .insertInto('identities')
    .values(identity)
    .onConflict((conflict) => conflict.columns(['user_id', 'issuer']).doNothing())
    .returning('id')
    .execute()
  if (made === undefined) return 'taken'
  await endLinks(tx, userId)
  return 'connected'
}

export const noteIdentityUsed = (tx: Tx, id: number, { name }: Pick<Arrival, 'name'>, at: number) =>
  tx.updateTable('identities').set({ last_used_at: at, name }).where('id', '=', id).execute()

/** Oldest first. Times are epoch milliseconds. */
export const listIdentities = (read: Read, userId: number) =>
  read
    .selectFrom('identities')
    .select(['id', 'issuer', 'subject', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId) // uses identities_user
    .orderBy('id')
    .execute()

/**
 * Ends the sessions that began so, but for `except`, and earlier links. Undefined if the account has no such identity. Throws a
 * `FieldProblem` if it is the last way in by `rules`; undefined: whatever is left.
 */
export async function disconnectIdentity(
  tx: Tx,
  {
    userId,
    id,
    rules,
    except,
  }: { userId: number; id: number; rules: WayRules | undefined; except: number | undefined },
): Promise<{ readonly issuer: string } | undefined> {
  const held = await tx
    .selectFrom('identities')
    .select('issuer')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (held === undefined) return undefined
  if (rules !== undefined) await refuseLastWay(tx, { userId, rules, leaving: { way: 'provider', id } })
  await tx
    .deleteFrom('sessions')
    .where('identity_id', '=', id) // uses sessions_identity
    .where('id', '!=', except ?? 0)
    .execute()
  await tx.deleteFrom('identities').where('id', '=', id).execute()
  await endLinks(tx, userId)
  return held
}

/** Tells the owner of the account by mail. `name` is the provider's. */
export const tellConnected = (
  deps: Pick<Deps, 'read' | 'mail' | 'config'>,
  userId: number,
  { name, language }: { readonly name: string; readonly language: Language },
): void =>
  tellOwner(deps, userId, {
    letter: (username, url) => identityConnectedLetter(username, url, name),
    language,
  })

export const tellDisconnected: typeof tellConnected = (deps, userId, { name, language }) =>
  tellOwner(deps, userId, {
    letter: (username, url) => identityDisconnectedLetter(username, url, name),
    language,
  })
