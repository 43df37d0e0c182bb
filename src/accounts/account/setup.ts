import type { Read } from '../../db/open'
import type { Tx, Write } from '../../db/write'
import { Failure } from '../../lib/failure'
import type { Random } from '../../lib/secret'
import { createLink, findLink, spendLink } from '../sign-in/one-time-link'
import type { PasswordCost } from './password'
import { insertUser, type NewUser, prepareUser } from './user'

interface Deps {
  readonly read: Read
  readonly write: Write
  now(): number
  readonly random: Random
}

/** For the first administrator (D51); replaces any earlier link. Throws a `data` failure if there is one already. */
export async function createSetupLink(deps: Deps): Promise<string> {
  return await deps.write(async (tx) => {
    if (await hasAdministrator(tx)) {
      throw new Failure(
        'data',
        'there is an administrator already; if the password is lost, use kiroku user reset-password',
      )
    }
    return await createLink(tx, deps, { purpose: 'setup' })
  })
}

export async function isSetupLink({ read, now }: Deps, link: string): Promise<boolean> {
  return (await findLink(read, 'setup', link, now())) !== undefined && !(await hasAdministrator(read))
}

/** Returns the user's id, or undefined for an invalid link. Throws a `FieldProblem`. */
export async function setUp(
  deps: Deps & { readonly passwordCost: PasswordCost },
  link: string,
  asked: Omit<NewUser, 'isAdmin'>,
): Promise<number | undefined> {
  if (!(await isSetupLink(deps, link))) return undefined
  const user = await prepareUser(deps, { ...asked, isAdmin: true })
  return await deps.write(async (tx) => {
    if (await hasAdministrator(tx)) return undefined
    const spent = await spendLink(tx, 'setup', link, deps.now())
    return spent && (await insertUser(tx, user))
  })
}

async function hasAdministrator(read: Read | Tx): Promise<boolean> {
  const row = await read
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
