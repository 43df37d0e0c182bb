import type { TokenScope } from '../../accounts/token'
import type { Read } from '../../db/open'
import { parseScope } from '../scope'

export interface Application {
  readonly id: number
  readonly uid: string
  readonly name: string
  readonly ownerId: number
  /** A username. */
  readonly owner: string
  readonly redirectUris: readonly string[]
  readonly scope: TokenScope
  /** RFC 6749 §2.1: whether it can keep a secret. */
  readonly isConfidential: boolean
  readonly hasDeviceGrant: boolean
  /** D111: whether answers to it name the issuer (RFC 9207). */
  readonly sendsIss: boolean
}

export async function findApplication(
  read: Pick<Read, 'selectFrom'>,
  uid: string,
): Promise<Application | undefined> {
  const row = await read
    .selectFrom('applications')
    .innerJoin('users', 'users.id', 'owner_id')
    .select(['applications.id', 'uid', 'applications.name', 'owner_id', 'username', 'redirect_uris'])
    .select(['scope', 'is_confidential', 'has_device_grant', 'sends_iss'])
    .where('uid', '=', uid)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    id: row.id,
    uid: row.uid,
    name: row.name,
    ownerId: row.owner_id,
    owner: row.username,
    redirectUris: row.redirect_uris.split('\n'),
    scope: parseScope(row.scope) ?? 'read',
    isConfidential: row.is_confidential === 1,
    hasDeviceGrant: row.has_device_grant === 1,
    sendsIss: row.sends_iss === 1,
  }
}

/** Hashes of the current secret and of a rotated one that has not yet expired (AP-04). */
export async function liveSecrets(read: Read, applicationId: number, at: number): Promise<Uint8Array[]> {
  const rows = await read
    .selectFrom('client_secrets')
    .select('secret_hash')
    .where('application_id', '=', applicationId) // uses client_secrets_application
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', at)]))
    .execute()
  return rows.map(({ secret_hash }) => secret_hash)
}
