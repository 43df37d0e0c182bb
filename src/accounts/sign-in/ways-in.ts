import type { Config } from '../../config'
import type { Read } from '../../db/open'
import type { Tx } from '../../db/write'
import { FieldProblem } from '../../values/field-problem'
import { relyingPartyOf } from '../passkeys/relying-party'

/** What this instance lets people sign in with (D100). */
export interface WayRules {
  readonly hasPasswords: boolean
  /** The host that passkeys are made for; undefined if there can be none. */
  readonly rpId: string | undefined
  /** Of the providers that are configured. */
  readonly issuers: readonly string[]
}

export const wayRules = ({
  passwordSignIn,
  baseUrl,
  providers,
}: Pick<Config, 'passwordSignIn' | 'baseUrl' | 'providers'>): WayRules => ({
  hasPasswords: passwordSignIn,
  rpId: relyingPartyOf(baseUrl)?.id,
  issuers: providers.map(({ issuer }) => issuer),
})

export type WayIn =
  | { readonly way: 'password' }
  | { readonly way: 'passkey'; readonly id: number }
  | { readonly way: 'provider'; readonly id: number }

/** The ways in that this account has now; those that the instance does not offer are none. */
export async function waysIn(db: Read | Tx, userId: number, rules: WayRules): Promise<readonly WayIn[]> {
  const { hasPasswords, rpId = '', issuers } = rules
  const user = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirst()
  const passkeys = await db
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', userId) // uses passkeys_user
    .where('rp_id', '=', rpId)
    .where('is_verified', '=', 1)
    .execute()
  const identities = await db
    .selectFrom('identities')
    .select(['id', 'issuer'])
    .where('user_id', '=', userId) // uses identities_user
    .execute()
  const hasPassword = hasPasswords && user !== undefined && user.password_hash !== ''
  return [
    ...(hasPassword ? [{ way: 'password' } as const] : []),
    ...passkeys.map(({ id }) => ({ way: 'passkey', id }) as const),
    ...identities
      .filter(({ issuer }) => issuers.includes(issuer))
      .map(({ id }) => ({ way: 'provider', id }) as const),
  ]
}

/**
 * Called in the write that removes a way in, before it does: nobody removes their last one (D100), nor do two removals at once.
 * Throws a `FieldProblem`.
 */
export async function refuseLastWay(
  tx: Tx,
  { userId, rules, leaving }: { userId: number; rules: WayRules; leaving: WayIn },
): Promise<void> {
  const ways = await waysIn(tx, userId, rules)
  const isLeft = (one: WayIn) =>
    one.way !== leaving.way || ('id' in one && 'id' in leaving && one.id !== leaving.id)
  const left = ways.filter(isLeft)
  // What could not be used anyway may go.
  if (left.length > 0 || left.length === ways.length) return
  throw new FieldProblem('data', '', (t) => t.waysIn.last)
}

/** Users who cannot sign in at all, for the warning at the start. */
export async function countWithoutWay(
  read: Read,
  { hasPasswords, rpId = '', issuers }: WayRules,
): Promise<number> {
  const { count } = await read
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('disabled_at', 'is', null)
    .$if(hasPasswords, (query) => query.where('password_hash', '=', ''))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('passkeys')
            .select('id')
            .whereRef('user_id', '=', 'users.id') // uses passkeys_user
            .where('rp_id', '=', rpId)
            .where('is_verified', '=', 1),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('identities')
            .select('id')
            .whereRef('user_id', '=', 'users.id') // uses identities_user
            .where('issuer', 'in', [...issuers]),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return count
}
