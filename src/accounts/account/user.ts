import type { Read } from '../../db/open'
import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import { Failure } from '../../lib/failure'
import { lineProblem } from '../../lib/line-of-text'
import { hashNewPassword } from './password'
import { checkEmail, emailKey, emailTaken } from './user-email'
import { UserProblem } from './user-problem'
import { checkUsername, usernameKey } from './username'

/** What somebody asks for who wants a user; `name` is the username when it is left out. */
export interface NewUser {
  readonly username: string
  readonly email: string
  readonly name?: string | undefined
  readonly password: string
  readonly isAdmin: boolean
  /**
   * Whether the address is only what a stranger typed. It is kept, but signs nobody in and may be somebody else's: so
   * nobody learns whose addresses are here by asking for an account with them (oauth.md §2.1).
   */
  readonly isEmailUnproved?: boolean
}

/** Makes a user and returns its id. Throws a `UserProblem` for a value that breaks a rule or is taken (D50). */
export async function createUser(
  deps: Pick<Deps, 'write' | 'now' | 'passwordCost'>,
  asked: NewUser,
): Promise<number> {
  const user = await prepareUser(deps, asked)
  return await deps.write((tx) => insertUser(tx, user))
}

/** A user who can be made: all of it is sound, and the password is hashed. Throws a `UserProblem`, or `PasswordsBusy`. */
export async function prepareUser({ now, passwordCost }: Pick<Deps, 'now' | 'passwordCost'>, asked: NewUser) {
  const at = now()
  const { username, email, isEmailUnproved = false } = asked
  const name = (asked.name ?? username).normalize('NFC')
  checkUsername(username)
  checkEmail(email)
  checkName(name)
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

/** Makes a prepared user inside a write and returns its id. Throws a `UserProblem` for a name or an address that is taken. */
export async function insertUser(tx: Tx, user: Awaited<ReturnType<typeof prepareUser>>): Promise<number> {
  await refuseTaken(tx, user)
  const { id } = await tx.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  return id
}

/** The id of the user with that name, whatever its case. Throws a `data` failure where there is none. */
export async function findUser(read: Read, username: string): Promise<number> {
  const user = await read
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey(username))
    .executeTakeFirst()
  if (user === undefined) throw new Failure('data', `there is no user called ${JSON.stringify(username)}`)
  return user.id
}

/** Throws a `UserProblem` unless somebody may be shown under that name. */
export function checkName(name: string): void {
  const problem = lineProblem(name, 50, (t) => t.rules.name)
  if (problem !== undefined) throw new UserProblem('usage', 'name', problem)
}

type Taking = Pick<
  Awaited<ReturnType<typeof prepareUser>>,
  'username' | 'username_key' | 'email' | 'email_key'
>

async function refuseTaken(tx: Tx, { username, username_key, email, email_key }: Taking): Promise<void> {
  const holders = await tx
    .selectFrom('users')
    .select('username_key')
    .where((is) => is.or([is('username_key', '=', username_key), is('email_key', '=', email_key)]))
    .execute()
  if (holders.length === 0) return
  if (holders.some((holder) => holder.username_key === username_key)) {
    throw new UserProblem('data', 'username', (t) => t.rules.usernameTaken(username))
  }
  throw emailTaken(email)
}
