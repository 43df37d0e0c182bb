import { sql } from 'kysely'
import { deleteAllBut } from '../../db/delete-all-but'
import type { Tx } from '../../db/write'
import { createSecret, hashSecret, type Random } from '../../lib/secret'
import { parseScope } from '../scope'
import type { AuthorizationRequest } from './authorization-request'

/** Returns the handle to put into the form (AZ-21). */
export async function saveRequest(
  tx: Tx,
  sessionId: number,
  asked: AuthorizationRequest,
  { random, at }: { random: Random; at: number },
): Promise<string> {
  const { application, redirectUri, scope, state, codeChallenge } = asked
  await deleteOldRequests(tx, sessionId, at)
  const handle = createSecret('pq', random)
  await tx
    .insertInto('consent_requests')
    .values({
      handle_hash: hashSecret(handle),
      session_id: sessionId,
      application_id: application.id,
      redirect_uri: redirectUri,
      scope,
      state: state ?? null,
      code_challenge: codeChallenge,
      created_at: at,
      expires_at: at + pendingFor,
    })
    .execute()
  return handle
}

/** Undefined if it has expired or belongs to another session. */
export async function takeRequest(tx: Tx, sessionId: number, handle: string, at: number) {
  const row = await tx
    .deleteFrom('consent_requests')
    .where('handle_hash', '=', hashSecret(handle))
    .where('session_id', '=', sessionId)
    .where('expires_at', '>', at)
    .returning(['application_id', 'redirect_uri', 'scope', 'state', 'code_challenge'])
    .returning(({ selectFrom }) =>
      selectFrom('applications')
        .select('uid')
        .whereRef('applications.id', '=', 'application_id')
        .as('client'),
    )
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    client: row.client ?? '',
    applicationId: row.application_id,
    redirectUri: row.redirect_uri,
    scope: parseScope(row.scope) ?? 'read',
    state: row.state ?? undefined,
    codeChallenge: row.code_challenge,
  }
}

const pendingFor = 600_000

const mostPending = 20

async function deleteOldRequests(tx: Tx, sessionId: number, at: number): Promise<void> {
  await tx.deleteFrom('consent_requests').where('expires_at', '<=', at).execute() // uses consent_requests_expires
  // uses consent_requests_session
  const owned = sql`session_id = ${sessionId}`
  await deleteAllBut(tx, 'consent_requests', { owned, order: sql`id desc`, most: mostPending - 1 })
}
