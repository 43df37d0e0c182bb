import type { TokenScope } from '../../accounts/token'
import type { Read } from '../../db/open'
import type { Tx } from '../../db/write'
import { checkSecret, createSecret, hashSecret, type Random } from '../../lib/secret'
import { parseScope } from '../scope'

/** What a token is for: it lets an application act for a user. */
export interface Granted {
  readonly applicationId: number
  readonly userId: number
  readonly scope: TokenScope
  /** The code it is issued for, if it is for one, so that a replay can take it back. */
  readonly codeId?: number
}

/** An access token that was just made: it is told this once. */
export interface Issued {
  readonly id: number
  readonly token: string
  readonly userId: number
  readonly scope: TokenScope
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** Issues an access token inside a write: a fresh one each time (TK-23), of which only the hash is kept. */
export async function issueToken(tx: Tx, granted: Granted, random: Random, at: number): Promise<Issued> {
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

/** A token that exists, of an application or personal. Times are epoch milliseconds. */
export interface KnownToken {
  readonly id: number
  readonly userId: number
  readonly username: string
  readonly scope: TokenScope
  readonly createdAt: number
  /** Null: does not expire. */
  readonly expiresAt: number | null
  /** The client_id; null for a personal access token. */
  readonly client: string | null
  /** Whether the user may act at all. */
  readonly isDisabled: boolean
}

/** Looks a token up by its hash; undefined when there is none like it. Whether it is still good is another question. */
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
    isDisabled: row.disabled_at !== null,
  }
}

/** Whether a token is good for anything at a time. */
export const isLive = ({ expiresAt, isDisabled }: KnownToken, at: number): boolean =>
  !isDisabled && (expiresAt === null || expiresAt > at)

/** As OAuth tells a time. */
export const inSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
