import type { ExpressionBuilder } from 'kysely'
import type { Read } from '../db/open'
import type { DB } from '../db/schema'
import type { Tx, Write } from '../db/write'
import { Failure } from '../lib/failure'
import { createSecret, hashSecret, type Random } from '../lib/secret'
import type { Message } from '../messages/languages'
import { FieldProblem, valid } from '../values/field-problem'
import { lineOfText } from '../values/text'

export const tokenScopes = ['read', 'write', 'read write'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** `expiresIn` is in milliseconds, undefined for never. */
export interface NewToken {
  readonly userId: number
  readonly description: string
  readonly scope: TokenScope
  readonly expiresIn?: number | undefined
}

export const tokenDescription = lineOfText(500, (t) => t.rules.description)

/** A personal access token (D49), returned only here: the database keeps its hash. Throws a `FieldProblem`. */
export async function createToken(
  deps: { write: Write; now(): number; random: Random },
  { userId, description, scope, expiresIn }: NewToken,
): Promise<{ id: number; token: string }> {
  valid('description', tokenDescription, description)
  const token = createSecret('pat', deps.random)
  const created_at = deps.now()
  const expires_at = expiresIn === undefined ? null : created_at + expiresIn
  const values = {
    user_id: userId,
    description,
    scope,
    token_hash: hashSecret(token),
    created_at,
    expires_at,
  }
  const { id } = await deps.write(async (tx) => {
    refuseMore(await personalTokens(tx, userId).select('id').execute(), (t) => t.rules.mostTokens)
    return await tx.insertInto('tokens').values(values).returning('id').executeTakeFirstOrThrow()
  })
  return { id, token }
}

/** For things that outlive a session, such as tokens. */
const most = 500

/** Throws a `FieldProblem` with the text `problem`. */
export function refuseMore(
  owned: readonly unknown[],
  problem: (t: Parameters<Message>[0]) => (most: number) => string,
): void {
  if (owned.length >= most) throw new FieldProblem('data', '', (t) => problem(t)(most))
}

/** Oldest first. Times are epoch milliseconds, null for never. */
export function listTokens(read: Read, userId: number) {
  return personalTokens(read, userId)
    .select(['id', 'description', 'scope', 'created_at', 'expires_at', 'last_used_at'])
    .orderBy('id')
    .execute()
}

const personalTokens = (db: Read | Tx, userId: number) =>
  db.selectFrom('tokens').where('user_id', '=', userId).where('application_id', 'is', null) // uses tokens_application

/** Throws a `data` failure if there is no such token. */
export async function revokeToken({ write }: { write: Write }, id: number): Promise<void> {
  const revoked = await write((tx) => endToken(tx, id).execute())
  if (revoked.length === 0) throw new Failure('data', `there is no token ${id}`)
}

export async function revokeOwnToken(
  { write }: { write: Write },
  userId: number,
  id: number,
): Promise<boolean> {
  const revoked = await write((tx) => endToken(tx, id).where('user_id', '=', userId).execute())
  return revoked.length > 0
}

/** For whatever ends or restores a user's access: who sent a token is kept until some token changes (`viewerOf`). */
export async function touchTokens(tx: Tx, userId: number): Promise<void> {
  const unchanged = (eb: ExpressionBuilder<DB, 'tokens'>) => ({ last_used_at: eb.ref('last_used_at') })
  await tx.updateTable('tokens').set(unchanged).where('user_id', '=', userId).execute()
}

const endToken = (tx: Tx, id: number) =>
  tx.deleteFrom('tokens').where('id', '=', id).where('application_id', 'is', null).returning('id')
