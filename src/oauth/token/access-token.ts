import type { TokenScope } from '../../accounts/token'
import type { Read } from '../../db/open'
import type { Tx } from '../../db/write'
import { checkSecret, createSecret, hashSecret, type Random } from '../../lib/secret'
import { parseScope } from '../scope'

export interface TokenGrant {
  readonly applicationId: number
  readonly userId: number
  readonly scope: TokenScope
  /** The authorization code it was issued for, so that a replay of the code can revoke the token. */
  readonly codeId?: number
}

export interface IssuedToken {
  readonly id: number
  readonly token: string
  readonly userId: number
  readonly scope: TokenScope
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** Always a new token (TK-23). */
export async function issueToken(
  tx: Tx,
  granted: TokenGrant,
  random: Random,
  at: number,
): Promise<IssuedToken> {
  const { applicationId, userId, scope, codeId } = granted
  const token = createSecret('at', random)
  const { id } = await tx
    .insertInto('tokens')
    .values({
      user_id: userId,
      application_id: applicationId,
      code_id: codeId ?? null,
      description: '',
      scope,
      token_hash: hashSecret(token),
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, token, userId, scope, createdAt: at }
}

/** Times are epoch milliseconds. */
export interface KnownToken {
  readonly id: number
  readonly userId: number
  readonly username: string
  readonly scope: TokenScope
  readonly createdAt: number
  /** Null if it never expires. */
  readonly expiresAt: number | null
  /** Null for a personal access token. */
  readonly client: string | null
  readonly isUserDisabled: boolean
}

/** Undefined if it is unknown. Check `isLive` too. */
export async function findToken(read: Read, token: string): Promise<KnownToken | undefined> {
  if (!checkSecret('at', token) && !checkSecret('pat', token)) return undefined
  const row = await read
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .leftJoin('applications', 'applications.id', 'tokens.application_id')
    .select(['tokens.id', 'user_id', 'username', 'tokens.scope', 'tokens.created_at', 'expires_at'])
    .select(['uid', 'disabled_at'])
    .where('token_hash', '=', hashSecret(token))
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    id: row.id,
    userId: row.user_id,
    username: row.username,
    scope: parseScope(row.scope) ?? 'read',
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    client: row.uid,
    isUserDisabled: row.disabled_at !== null,
  }
}

export const isLive = ({ expiresAt, isUserDisabled }: KnownToken, at: number): boolean =>
  !isUserDisabled && (expiresAt === null || expiresAt > at)

/** Unix time. */
export const inSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
