import type { TokenScope } from '../../accounts/token'
import type { Tx } from '../../db/write'
import { createSecret, hashSecret, type Random } from '../../lib/secret'
import { parseScope } from '../scope'
import { type IssuedToken, issueToken } from '../token/access-token'
import { outOfBand } from './redirect-uri'

export interface Consent {
  readonly applicationId: number
  readonly userId: number
  readonly redirectUri: string
  readonly scope: TokenScope
  /** S256 (RFC 7636 §4.2); null when the client sent none. */
  readonly codeChallenge: string | null
}

export interface PresentedCode {
  readonly code: string
  readonly applicationId: number
  readonly redirectUri: string
  /** S256 of the verifier sent; null if none was sent. */
  readonly codeChallenge: string | null
}

/** `revoked`: how many tokens were revoked because the code was used again. */
export type RedemptionOutcome =
  | { readonly outcome: 'issued'; readonly issued: IssuedToken }
  | {
      readonly outcome: 'replayed'
      readonly codeId: number
      readonly userId: number
      readonly revoked: number
    }
  | { readonly outcome: 'unknown' }

/** Also deletes expired codes (TK-17). */
export async function issueCode(tx: Tx, consent: Consent, random: Random, at: number): Promise<string> {
  const { applicationId, userId, redirectUri, scope, codeChallenge } = consent
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
      expires_at: at + (redirectUri === outOfBand ? displayedCodeLifetime : redirectedCodeLifetime),
    })
    .execute()
  return code
}

/** Exchanges a code for a token, once; a second use revokes the token from the first (TK-14). */
export async function redeemCode(
  tx: Tx,
  presented: PresentedCode,
  random: Random,
  at: number,
): Promise<RedemptionOutcome> {
  const spent = await spendCode(tx, presented, at)
  if (spent === undefined) return await revokeReplayed(tx, presented)
  const { id, user_id, scope } = spent
  const granted = { userId: user_id, scope: parseScope(scope) ?? 'read', codeId: id }
  const issued = await issueToken(tx, { ...granted, applicationId: presented.applicationId }, random, at)
  return { outcome: 'issued', issued }
}

/** Lifetimes in milliseconds: of a code that the user copies, and of one sent by redirect. */
const displayedCodeLifetime = 600_000
const redirectedCodeLifetime = 60_000

/** How long after expiry a second use is still recognized, in milliseconds. */
const rememberedFor = 86_400_000

/** One conditional statement: of two concurrent uses, only one finds the code unused (TK-16). */
const spendCode = (tx: Tx, presented: PresentedCode, at: number) =>
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

/** Only for requests that could have used the code: an old code alone must not revoke a token (TK-15). */
async function revokeReplayed(tx: Tx, presented: PresentedCode): Promise<RedemptionOutcome> {
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

const asIssued = ({ code, applicationId, redirectUri }: PresentedCode) => ({
  code_hash: hashSecret(code),
  application_id: applicationId,
  redirect_uri: redirectUri,
})
