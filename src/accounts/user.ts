import type { Read } from '../db/open'
import type { Tx, Write } from '../db/write'
import { Failure } from '../lib/failure'
import { lineProblem } from '../lib/line-of-text'
import { words } from '../lib/words'
import { hashPassword } from './password'
import { checkEmail, emailKey } from './user-email'
import { UserProblem } from './user-problem'
import { checkUsername, usernameKey } from './username'

/** What somebody asks for who wants a user; `name` is the username when it is left out. */
export interface NewUser {
  readonly username: string
  readonly email: string
  readonly name?: string | undefined
  readonly password: string
  readonly isAdmin: boolean
}

/** Makes a user and returns its id. Throws a `UserProblem` for a value that breaks a rule or is taken (D50). */
export async function createUser(deps: { write: Write; now(): number }, asked: NewUser): Promise<number> {
  const { username, email } = asked
  const name = (asked.name ?? username).normalize('NFC')
  checkUsername(username)
  checkEmail(email)
  checkName(name)
  const values = {
    username,
    username_key: usernameKey(username),
    name,
    email,
    email_key: emailKey(email),
    password_hash: await hashPassword(asked.password),
    is_admin: asked.isAdmin ? 1 : 0,
    created_at: deps.now(),
  }
  return await deps.write(async (tx) => {
    await refuseTaken(tx, asked)
    const user = await tx.insertInto('users').values(values).returning('id').executeTakeFirstOrThrow()
    return user.id
  })
}

/** Every user, oldest first. Times are epoch milliseconds. */
export function listUsers(read: Read) {
  return read
    .selectFrom('users')
    .select(['id', 'username', 'name', 'email', 'is_admin', 'disabled_at', 'created_at'])
    .orderBy('id')
    .execute()
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
  const problem = lineProblem(name, 50)
  if (problem !== undefined)
    throw new UserProblem('usage', 'name', words(`the name ${problem.en}`, `名前：${problem.ja}`))
}

async function refuseTaken(tx: Tx, { username, email }: NewUser): Promise<void> {
  const holders = await tx
    .selectFrom('users')
    .select('username_key')
    .where((is) =>
      is.or([is('username_key', '=', usernameKey(username)), is('email_key', '=', emailKey(email))]),
    )
    .execute()
  if (holders.length === 0) return
  if (holders.some((holder) => holder.username_key === usernameKey(username))) {
    throw new UserProblem(
      'data',
      'username',
      words(`the username ${username} is taken`, `ユーザー名 ${username} は使われています`),
    )
  }
  throw new UserProblem(
    'data',
    'email',
    words(`the e-mail address ${email} is taken`, `メールアドレス ${email} は使われています`),
  )
}
