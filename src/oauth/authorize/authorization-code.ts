import type { TokenScope } from '../../accounts/token'
import type { Tx } from '../../db/write'
import { createSecret, hashSecret, type Random } from '../../lib/secret'
import { parseScope } from '../scope'
import { type Issued, issueToken } from '../token/access-token'
import { outOfBand } from './redirect-uri'

/** What somebody consented to. */
export interface Consented {
  readonly applicationId: number
  readonly userId: number
  readonly redirectUri: string
  readonly scope: TokenScope
  /** As S256 makes it (RFC 7636 §4.2); null when the client sent none. */
  readonly codeChallenge: string | null
}

/** A code that a client presents: everything must be as it was when it was issued. */
export interface Presented {
  readonly code: string
  readonly applicationId: number
  readonly redirectUri: string
  /** The challenge of the verifier; null when none was sent. */
  readonly codeChallenge: string | null
}

/** What came of a presented code: `revoked` is how many tokens a second use of it has ended. */
export type Redeemed =
  | { readonly outcome: 'issued'; readonly issued: Issued }
  | {
      readonly outcome: 'replayed'
      readonly codeId: number
      readonly userId: number
      readonly revoked: number
    }
  | { readonly outcome: 'unknown' }

/** Issues a code inside a write (TK-17). Codes that are of no more use are swept away meanwhile. */
export async function issueCode(tx: Tx, consented: Consented, random: Random, at: number): Promise<string> {
  const { applicationId, userId, redirectUri, scope, codeChallenge } = consented
  await tx
    .deleteFrom('authorization_codes')
    .where('expires_at', '<=', at - rememberedFor) // uses authorization_codes_expires
    .execute()
  const code = createSecret('ac', random)
  await tx
    .insertInto('authorization_codes')
    .values({
      code_hash: hashSecret(code),
      application_id: applicationId,
      user_id: userId,
      redirect_uri: redirectUri,
      scope,
      code_challenge: codeChallenge,
      created_at: at,
      expires_at: at + (redirectUri === outOfBand ? displayedLife : redirectedLife),
    })
    .execute()
  return code
}

/** Exchanges a code for a token inside a write, once; a second use takes the token of the first back (TK-14). */
export async function redeemCode(
  tx: Tx,
  presented: Presented,
  random: Random,
  at: number,
): Promise<Redeemed> {
  const spent = await spend(tx, presented, at)
  if (spent === undefined) return await takeBack(tx, presented)
  const { id, user_id, scope } = spent
  const granted = { userId: user_id, scope: parseScope(scope) ?? 'read', codeId: id }
  const issued = await issueToken(tx, { ...granted, applicationId: presented.applicationId }, random, at)
  return { outcome: 'issued', issued }
}

/** For how long a code is good in milliseconds: one that a person has to copy, and one that is redirected with. */
const displayedLife = 600_000
const redirectedLife = 60_000

/** For how long a code is remembered after that, so that a second use is noticed. */
const rememberedFor = 86_400_000

/** The one statement that spends a code: of two at the same time, only one finds it unused (TK-16). */
const spend = (tx: Tx, presented: Presented, at: number) =>
  tx
    .updateTable('authorization_codes')
    .set({ used_at: at })
    .where((is) => is.and(asIssued(presented)))
    .where('code_challenge', 'is', presented.codeChallenge)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('users')
          .select('users.id')
          .whereRef('users.id', '=', 'authorization_codes.user_id')
          .where('disabled_at', 'is', null),
      ),
    )
    .returning(['id', 'user_id', 'scope'])
    .executeTakeFirst()

/** Only who could have spent the code can take its token back: else whoever finds an old code ends a session (TK-15). */
async function takeBack(tx: Tx, presented: Presented): Promise<Redeemed> {
  const used = await tx
    .selectFrom('authorization_codes')
    .select(['id', 'user_id'])
    .where((is) => is.and(asIssued(presented)))
    .where('code_challenge', 'is', presented.codeChallenge)
    .where('used_at', 'is not', null)
    .executeTakeFirst()
  if (used === undefined) return { outcome: 'unknown' }
  const ended = await tx.deleteFrom('tokens').where('code_id', '=', used.id).returning('id').execute() // uses tokens_code
  return { outcome: 'replayed', codeId: used.id, userId: used.user_id, revoked: ended.length }
}

const asIssued = ({ code, applicationId, redirectUri }: Presented) => ({
  code_hash: hashSecret(code),
  application_id: applicationId,
  redirect_uri: redirectUri,
})
