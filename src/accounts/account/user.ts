import Type from 'typebox'
import type { Read } from '../../db/open'
import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import { Failure } from '../../lib/failure'
import { emailAddress } from '../../values/address'
import { FieldProblem, valid } from '../../values/field-problem'
import { lineOfText } from '../../values/text'
import { checked, InvalidValue, mapped } from '../../values/value'
import { indexNames } from '../name-index'
import { hashNewPassword } from './password'

export interface NewUser {
  readonly username: string
  readonly email: string
  readonly name?: string | undefined
  /** Undefined: none, for somebody who will come in another way (D100). */
  readonly password: string | undefined
  readonly isAdmin: boolean
  /** Stored but unusable for sign-in, so sign-up does not reveal which addresses are known (oauth.md §2.1). */
  readonly isEmailUnproved?: boolean
}

/** Returns the id. Throws a `FieldProblem` for a value that breaks a rule or is taken (D50). */
export async function createUser(
  deps: Pick<Deps, 'write' | 'now' | 'passwordCost'>,
  asked: NewUser,
): Promise<number> {
  const user = await prepareUser(deps, asked)
  return await deps.write((tx) => insertUser(tx, user))
}

/** Throws a `FieldProblem` or `PasswordsBusy`. */
export async function prepareUser({ now, passwordCost }: Pick<Deps, 'now' | 'passwordCost'>, asked: NewUser) {
  const at = now()
  const { username, email, isEmailUnproved = false } = asked
  const name = (asked.name ?? username).normalize('NFC')
  valid('username', usernameText, username)
  valid('email', userEmail, email)
  valid('name', displayName, name)
  return {
    username,
    username_key: usernameKey(username),
    name,
    email,
    email_key: isEmailUnproved ? null : emailKey(email),
    password_hash:
      asked.password === undefined ? '' : await hashNewPassword(asked.password, asked, passwordCost),
    is_admin: asked.isAdmin ? 1 : 0,
    created_at: at,
  }
}

/** D50. Reserved names would look like the instance's own. */
export const usernameText = mapped(
  checked(Type.String({ maxLength: 20, pattern: '^[A-Za-z0-9_]+$' }), (t) => t.rules.username),
  (username) =>
    reserved.has(usernameKey(username)) || isDeletedName(username)
      ? new InvalidValue((t) => t.rules.usernameReserved(username))
      : username,
)

export const usernameKey = (username: string): string => username.toLowerCase()

/** Deleted accounts whose comments were kept are named `deleted_` and their id. */
export const isDeletedName = (username: string): boolean => /^deleted_/i.test(username)

// First path segments, and names that suggest authority.
const reserved = new Set(
  `about account_deleted activity admin administrator api apple_touch_icon apps assets authorize avatars block calendar casts
  catalogue channels characters comments confirm covers device docs episodes errors explore export favicon favorite feed feeds follow
  followers following help home hooks images import invitations kept keys kiroku language laps likes list lists livez login logout me meetings
  metrics mute notes notifications oauth offline openapi organizations outbox past people privacy profile programs rating
  readyz record records register report reset_password reviews robots root search seasons series session sessions settings setup share
  sign_in sign_out sign_up signed_out signin signout signup skip staffs static status statuses support system terms unblock undo unfavorite unfollow unmute
  unsubscribe users v1 v2 viewing viewings welcome well_known works www year`
    .split(/\s+/)
    .filter((name) => name !== ''),
)

export const userEmail = emailAddress((t) => t.rules.email)

/** Reveals that an address is in use: only for the operator or the owner of the address. */
export const emailTaken = (email: string) =>
  new FieldProblem('data', 'email', (t) => t.rules.emailTaken(email))

export const emailKey = (email: string): string => email.toLowerCase()

/** With a password that is hashed. `invited_by`: whose invitation it was, if any. */
export type PreparedUser = Awaited<ReturnType<typeof prepareUser>> & { readonly invited_by?: number | null }

/** Returns the id. Throws a `FieldProblem` if the username or address is taken. */
export async function insertUser(tx: Tx, user: PreparedUser): Promise<number> {
  await refuseTaken(tx, user)
  const password_set_at = user.password_hash === '' ? null : user.created_at
  const values = { ...user, password_set_at }
  const { id } = await tx.insertInto('users').values(values).returning('id').executeTakeFirstOrThrow()
  await indexNames(tx)
  return id
}

/** Throws a `data` failure if there is no such user. */
export async function findUser(read: Read, username: string): Promise<number> {
  const user = await read
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey(username))
    .executeTakeFirst()
  if (user === undefined) throw new Failure('data', `there is no user called ${JSON.stringify(username)}`)
  return user.id
}

export const displayName = lineOfText(50, (t) => t.rules.name)

type UniqueNames = Pick<PreparedUser, 'username' | 'username_key' | 'email' | 'email_key'>

/** Names are taken by users, and by those who wait to join (D51). Throws a `FieldProblem`. */
export async function refuseTaken(
  tx: Tx,
  { username, username_key, email, email_key }: UniqueNames,
): Promise<void> {
  const heldIn = (table: 'users' | 'join_requests') =>
    tx
      .selectFrom(table)
      .select('username_key')
      .where((is) => is.or([is('username_key', '=', username_key), is('email_key', '=', email_key)]))
      .execute()
  const holders = [...(await heldIn('users')), ...(await heldIn('join_requests'))]
  if (holders.length === 0) return
  if (holders.some((holder) => holder.username_key === username_key)) {
    throw new FieldProblem('data', 'username', (t) => t.rules.usernameTaken(username))
  }
  throw emailTaken(email)
}
