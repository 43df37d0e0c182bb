import type { Tx, Write } from '../../db/write'
import { createSecret, hashSecret, type Random } from '../../lib/secret'

interface Dependencies {
  now(): number
  readonly random: Random
}

export async function addSecret(
  tx: Tx,
  applicationId: number,
  { now, random }: Dependencies,
): Promise<string> {
  const secret = createSecret('cs', random)
  const values = { application_id: applicationId, secret_hash: hashSecret(secret), created_at: now() }
  await tx.insertInto('client_secrets').values(values).execute()
  return secret
}

/** AP-04: the current secret stays valid for `overlap` milliseconds. Undefined if there is no confidential client. */
export async function rotateSecret(
  deps: Dependencies & { readonly write: Write },
  applicationId: number,
  overlap: number,
): Promise<string | undefined> {
  return await deps.write(async (tx) => {
    const application = await tx
      .selectFrom('applications')
      .select('id')
      .where('id', '=', applicationId)
      .where('is_confidential', '=', 1)
      .executeTakeFirst()
    if (application === undefined) return undefined
    await tx
      .deleteFrom('client_secrets')
      .where('application_id', '=', applicationId) // uses client_secrets_application
      .$if(overlap > 0, (query) => query.where('expires_at', 'is not', null))
      .execute()
    await tx
      .updateTable('client_secrets')
      .set({ expires_at: deps.now() + overlap })
      .where('application_id', '=', applicationId) // uses client_secrets_application
      .execute()
    return await addSecret(tx, applicationId, deps)
  })
}
