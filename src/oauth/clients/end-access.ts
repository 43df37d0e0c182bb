import type { Tx } from '../../db/write'

/** `userId` is undefined for all users. */
export interface Access {
  readonly applicationId: number
  readonly userId?: number
}

/** Returns how many tokens were revoked. */
export async function endAccess(tx: Tx, access: Access): Promise<number> {
  const { applicationId, userId } = access
  await dropPending(tx, access)
  const ended = await tx
    .deleteFrom('tokens')
    .where('application_id', '=', applicationId) // uses tokens_application
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
    .returning('id')
    .execute()
  return ended.length
}

/** Deletes requests and grants that could still become tokens. */
export async function dropPending(tx: Tx, { applicationId, userId }: Access): Promise<void> {
  const ofUser = userId !== undefined
  if (!ofUser) await tx.deleteFrom('consent_requests').where('application_id', '=', applicationId).execute()
  await tx
    .deleteFrom('authorization_codes')
    .where('application_id', '=', applicationId) // uses authorization_codes_application
    .where('used_at', 'is', null)
    .$if(ofUser, (query) => query.where('user_id', '=', userId ?? 0))
    .execute()
  await tx
    .deleteFrom('device_grants')
    .where('application_id', '=', applicationId) // uses device_grants_application
    .$if(ofUser, (query) => query.where('user_id', '=', userId ?? 0))
    .execute()
}
