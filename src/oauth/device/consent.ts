import { beginAttempt, takeBackAttempt } from '../../accounts/sign-in/throttle'
import { codeAddressThrottle, codeUserThrottle } from '../../accounts/sign-in/throttle-kinds'
import type { TokenScope } from '../../accounts/token'
import type { Tx, Write } from '../../db/write'
import { hashSecret } from '../../lib/secret'
import type { Decision } from '../authorize/decide'
import { parseScope } from '../scope'
import { readUserCode } from './request'

export interface PendingDevice {
  readonly id: number
  readonly userCode: string
  readonly name: string
  readonly owner: string
  readonly client: string
  readonly scope: TokenScope
}

export interface TypedCode {
  readonly text: string
  readonly userId: number
  readonly address: string
}

/** `wait` is in milliseconds. */
export type DeviceLookup =
  | { readonly outcome: 'found'; readonly device: PendingDevice }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'wait'; readonly wait: number }

interface Dependencies {
  readonly write: Write
  now(): number
}

/** Wrong codes are throttled (RFC 8628 §5.1). */
export const lookUpDevice = ({ write, now }: Dependencies, typed: TypedCode): Promise<DeviceLookup> =>
  write((tx) => lookUp(tx, typed, now()))

export async function decideDevice(
  { write, now }: Dependencies,
  typed: TypedCode,
  decision: Decision,
): Promise<DeviceLookup> {
  return await write(async (tx) => {
    const lookup = await lookUp(tx, typed, now())
    if (lookup.outcome !== 'found') return lookup
    await tx
      .updateTable('device_grants')
      .set({ user_id: typed.userId, decision })
      .where('id', '=', lookup.device.id)
      .execute()
    return lookup
  })
}

async function lookUp(tx: Tx, { text, userId, address }: TypedCode, at: number): Promise<DeviceLookup> {
  const begun = await beginAttempt(tx, [codeAddressThrottle(address), codeUserThrottle(userId)], at)
  if (begun.wait > 0) return { outcome: 'wait', wait: begun.wait }
  const device = await findPending(tx, readUserCode(text), at)
  if (device === undefined) return { outcome: 'unknown' }
  await takeBackAttempt(tx, begun)
  return { outcome: 'found', device }
}

async function findPending(tx: Tx, userCode: string, at: number): Promise<PendingDevice | undefined> {
  const row = await tx
    .selectFrom('device_grants')
    .innerJoin('applications', 'applications.id', 'application_id')
    .innerJoin('users', 'users.id', 'owner_id')
    .select(['device_grants.id', 'device_grants.scope', 'applications.name', 'username', 'uid'])
    .where('user_code_hash', '=', hashSecret(userCode))
    .where('decision', 'is', null)
    .where('device_grants.expires_at', '>', at)
    .where('has_device_grant', '=', 1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id, name, username: owner, uid: client } = row
  return { id, userCode, name, owner, client, scope: parseScope(row.scope) ?? 'read' }
}
