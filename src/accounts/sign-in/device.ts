import { sql } from 'kysely'
import { deleteAllBut } from '../../db/delete-all-but'
import type { Read } from '../../db/open'
import type { Tx } from '../../db/write'
import { hashSecret } from '../../lib/secret'

/** How long a browser stays known after its last sign-in, in milliseconds. */
export const deviceTime = 365 * 86_400_000

const mostDevices = 100

export interface RememberedDevice {
  readonly userId: number
  readonly device: string
  /** Its old cookie value, '' if none. */
  readonly before: string
  readonly at: number
  /** Devices that were last used a year before are forgotten. */
  readonly believed: number
}

/** Guesses by strangers do not throttle a known browser (oauth.md §2.1). */
export async function rememberDevice(
  tx: Tx,
  { userId, device, before, at, believed }: RememberedDevice,
): Promise<void> {
  await tx
    .deleteFrom('devices')
    .where('user_id', '=', userId) // uses devices_user
    .where((is) =>
      is.or([is('device_hash', '=', hashSecret(before)), is('last_used_at', '<=', believed - deviceTime)]),
    )
    .execute()
  const known = { user_id: userId, device_hash: hashSecret(device), last_used_at: at }
  await tx.insertInto('devices').values(known).execute()
  const owned = sql`user_id = ${userId}` // uses devices_user
  await deleteAllBut(tx, 'devices', { owned, order: sql`last_used_at desc, id desc`, most: mostDevices })
}

/** Also for the first browser of an account: somebody has to begin. `device`: its cookie's value, '' if none. */
export async function isKnownDevice(tx: Tx, userId: number, device: string): Promise<boolean> {
  const known = await tx
    .selectFrom('devices')
    .select('device_hash')
    .where('user_id', '=', userId) // uses devices_user
    .execute()
  const hash = Buffer.from(hashSecret(device))
  return known.length === 0 || known.some(({ device_hash }) => hash.equals(device_hash))
}

export async function findDevice(
  { read, now }: { read: Read; now(): number },
  device: string,
): Promise<{ id: number; userId: number } | undefined> {
  if (device === '') return undefined
  const row = await read
    .selectFrom('devices')
    .select(['id', 'user_id'])
    .where('device_hash', '=', hashSecret(device))
    .where('last_used_at', '>', now() - deviceTime)
    .executeTakeFirst()
  return row && { id: row.id, userId: row.user_id }
}
