import type { Read } from '../../db/open'
import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import { Failure } from '../../lib/failure'
import { FieldProblem, valid } from '../../values/field-problem'
import { lineOfText } from '../../values/text'
import { indexNames } from '../name-index'
import { hashNewPassword } from './password'
import { emailKey, emailTaken, userEmail } from './user-email'
import { usernameKey, usernameText } from './username'

export interface NewUser {
  readonly username: string
  readonly email: string
  readonly name?: string | undefined
  readonly password: string
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
    password_hash: await hashNewPassword(asked.password, asked, passwordCost),
    is_admin: asked.isAdmin ? 1 : 0,
    created_at: at,
  }
}

/** Returns the id. Throws a `FieldProblem` if the username or address is taken. */
export async function insertUser(tx: Tx, user: Awaited<ReturnType<typeof prepareUser>>): Promise<number> {
  await refuseTaken(tx, user)
  const { id } = await tx.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
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

type UniqueNames = Pick<
  Awaited<ReturnType<typeof prepareUser>>,
  'username' | 'username_key' | 'email' | 'email_key'
>

async function refuseTaken(tx: Tx, { username, username_key, email, email_key }: UniqueNames): Promise<void> {
  const holders = await tx
    .selectFrom('users')
    .select('username_key')
    .where((is) => is.or([is('username_key', '=', username_key), is('email_key', '=', email_key)]))
    .execute()
  if (holders.length === 0) return
  if (holders.some((holder) => holder.username_key === username_key)) {
    throw new FieldProblem('data', 'username', (t) => t.rules.usernameTaken(username))
  }
  throw emailTaken(email)
}
